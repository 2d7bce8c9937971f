import type { BuiltinKind } from '../builtin-kind.js'
import { ingressPrinter } from '../printers/ingress.js'
import { ingressClassPrinter } from '../printers/ingress-class.js'
import { ipAddressPrinter } from '../printers/ip-address.js'
import { networkPolicyPrinter } from '../printers/network-policy.js'
import { serviceCidrPrinter } from '../printers/service-cidr.js'
import { ingressKind } from './ingress.js'
import { ingressClassKind } from './ingress-class.js'
import { ipAddressKind } from './ip-address.js'
import { networkPolicyKind } from './network-policy.js'
import { serviceCidrKind } from './service-cidr.js'

/** The kinds of this group that have rules of their own. */
export const networkingKinds: readonly BuiltinKind[] = [
  { kind: ingressKind, printer: ingressPrinter },
  { kind: ingressClassKind, printer: ingressClassPrinter },
  { kind: ipAddressKind, printer: ipAddressPrinter },
  { kind: networkPolicyKind, printer: networkPolicyPrinter },
  { kind: serviceCidrKind, printer: serviceCidrPrinter },
]
