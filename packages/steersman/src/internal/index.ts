/**
 * Room `internal`: small tools that several rooms and packages of this project share, and no Kubernetes word.
 *
 * Its door `steersman/internal` is for our own packages; it is not part of the public interface and changes without notice.
 *
 * Promises: importing it costs next to nothing (`node:crypto` is loaded on first use of the X.509 writer); nothing here reads a clock, waits
 * or draws random numbers except through the `Environment` or an argument handed in; whatever can grow has a stated bound.
 *
 * Deliberately not here: anything that knows a wire format of Kubernetes (room `api`), retry policies (they live with their loop) and
 * general-purpose collections that nobody uses yet.
 */
export { deepFreeze, onAbort } from '../environment/index.js'
export { abortable, isAbortOf, linkAbort, throwIfAborted, untilAborted } from './abort.js'
export type { BackoffOptions } from './backoff.js'
export { Backoff } from './backoff.js'
export type { BatchQueueOptions } from './batch-queue.js'
export { BatchQueue, BatchQueueOverflowError } from './batch-queue.js'
export { concatenateBytes } from './bytes.js'
export { deepCopy, deepEqual } from './deep.js'
export type { HeapHandle } from './heap.js'
export { Heap } from './heap.js'
export type { LogFacts, Logger } from './logger.js'
export { discardLogger } from './logger.js'
export type { LineOptions } from './ndjson.js'
export { LineSplitter, LineTooLongError, parseLines } from './ndjson.js'
export type {
  CertificateAuthorityOptions,
  CertificatePair,
  CertificateValidity,
  ClientCertificateOptions,
  ServerCertificateOptions,
} from './x509.js'
export { CertificateAuthority } from './x509.js'
