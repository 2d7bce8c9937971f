import { containerCells, replicasPrinter } from './pod-owner.js'
import { at, labelsText } from './printer.js'

export const replicationControllerPrinter = replicasPrinter('the controller', (object) => [
  ...containerCells(object),
  labelsText(at(object, 'spec', 'selector')),
])
