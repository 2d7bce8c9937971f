import type { BuiltinKind, CreateSubresource } from '../builtin-kind.js'
import { componentStatusPrinter } from '../printers/component-status.js'
import { configMapPrinter } from '../printers/config-map.js'
import { endpointsPrinter } from '../printers/endpoints.js'
import { eventPrinter } from '../printers/event.js'
import { namespacePrinter } from '../printers/namespace.js'
import { nodePrinter } from '../printers/node.js'
import { persistentVolumePrinter } from '../printers/persistent-volume.js'
import { persistentVolumeClaimPrinter } from '../printers/persistent-volume-claim.js'
import { podPrinter } from '../printers/pod.js'
import { podTemplatePrinter } from '../printers/pod-template.js'
import { replicationControllerPrinter } from '../printers/replication-controller.js'
import { resourceQuotaPrinter } from '../printers/resource-quota.js'
import { secretPrinter } from '../printers/secret.js'
import { servicePrinter } from '../printers/service.js'
import { serviceAccountPrinter } from '../printers/service-account.js'
import { BindingSubresource } from '../subresources/binding.js'
import type { Connect } from '../subresources/connect.js'
import {
  ConnectSubresource,
  connectCommand,
  connectLog,
  connectNodeProxy,
  connectPodProxy,
  connectPort,
  connectServiceProxy,
} from '../subresources/connect.js'
import { EvictionSubresource } from '../subresources/eviction.js'
import { ObjectSubresource } from '../subresources/object-subresource.js'
import { createTokenRequest } from '../subresources/token-request.js'
import { ComponentStatusStore, componentStatusKind } from './component-status.js'
import { configMapKind } from './config-map.js'
import { endpointsKind } from './endpoints.js'
import { eventKind } from './event.js'
import { limitRangeKind } from './limit-range.js'
import { finalizeRules, namespaceKind } from './namespace.js'
import { nodeKind } from './node.js'
import { persistentVolumeKind } from './persistent-volume.js'
import { persistentVolumeClaimKind } from './persistent-volume-claim.js'
import { podKind } from './pod.js'
import { ephemeralContainerRules } from './pod-ephemeral-containers.js'
import { resizeRules } from './pod-resize.js'
import { podTemplateKind } from './pod-template.js'
import { replicationControllerKind, replicationControllerScale } from './replication-controller.js'
import { resourceQuotaKind } from './resource-quota.js'
import { secretKind } from './secret.js'
import { serviceKind } from './service.js'
import { serviceAccountKind } from './service-account.js'

/** The kinds of this group that have rules of their own. */
export const coreKinds: readonly BuiltinKind[] = [
  {
    kind: componentStatusKind,
    printer: componentStatusPrinter,
    deprecationWarning: 'v1 ComponentStatus is deprecated in v1.19+',
    createStore: (options) => new ComponentStatusStore(options),
  },
  { kind: configMapKind, printer: configMapPrinter },
  {
    kind: endpointsKind,
    printer: endpointsPrinter,
    deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  },
  { kind: limitRangeKind },
  { kind: persistentVolumeKind, printer: persistentVolumePrinter },
  { kind: persistentVolumeClaimKind, printer: persistentVolumeClaimPrinter },
  { kind: resourceQuotaKind, printer: resourceQuotaPrinter },
  { kind: eventKind, printer: eventPrinter },
  {
    kind: namespaceKind,
    printer: namespacePrinter,
    subresources: { finalize: (served, context, decode) => new ObjectSubresource(served, context, decode, finalizeRules) },
  },
  { kind: nodeKind, printer: nodePrinter, subresources: { proxy: connect(connectNodeProxy) } },
  {
    kind: podKind,
    printer: podPrinter,
    subresources: {
      binding: (served, context, decode) => new BindingSubresource(served, context, decode),
      eviction: (served, context, decode) => new EvictionSubresource(served, context, decode),
      ephemeralcontainers: (served, context, decode) => new ObjectSubresource(served, context, decode, ephemeralContainerRules),
      resize: (served, context, decode) => new ObjectSubresource(served, context, decode, resizeRules),
      log: connect(connectLog),
      exec: connect(connectCommand),
      attach: connect(connectCommand),
      portforward: connect(connectPort),
      proxy: connect(connectPodProxy),
    },
  },
  { kind: podTemplateKind, printer: podTemplatePrinter },
  { kind: replicationControllerKind, printer: replicationControllerPrinter, scale: replicationControllerScale },
  { kind: secretKind, printer: secretPrinter },
  { kind: serviceKind, printer: servicePrinter, subresources: { proxy: connect(connectServiceProxy) } },
  { kind: serviceAccountKind, printer: serviceAccountPrinter, subresources: { token: createTokenRequest } },
]

function connect(answer: Connect): CreateSubresource {
  return (served, context, decode) => new ConnectSubresource(served, context, decode, answer)
}
