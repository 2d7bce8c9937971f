/**
 * Room `client`: a typed client of one API server.
 */
export type {
  CallOptions,
  Client,
  ClientBinding,
  DeleteOptions,
  GetOptions,
  ListOptions,
  Reader,
  SubresourceClient,
  WatchOptions,
  WriteOptions,
  Writer,
} from './client.js'
