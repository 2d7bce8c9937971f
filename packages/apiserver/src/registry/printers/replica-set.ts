import { podCells, replicasPrinter } from './pod-owner.js'

export const replicaSetPrinter = replicasPrinter('the replica set', podCells)
