/**
 * Room `workqueue`: the queue between what noticed a change and the workers that act on it. Knows no Kubernetes.
 *
 * It promises, for items compared by a key:
 * - an item that is added many times before a worker takes it is handed out once;
 * - a key is never in the hands of two workers; what is added meanwhile is handed out again after `done`;
 * - higher priority first, within a priority in the order in which items became due;
 * - nothing that was added is lost before shutdown, and after it what is already due is still handed out;
 * - no timer, promise or entry outlives its use; memory is bounded by the number of distinct keys under way.
 *
 * Plain, delaying, rate-limiting and priority queue are one class: a queue whose items all have priority 0 is a plain one.
 *
 * Deliberately not here: retry decisions (the controller's), an item limit (dropping a key would lose work; dedup is the bound) and metric
 * registries (`snapshot()` gives the figures when somebody asks).
 */
export { Histogram } from './histogram.js'
export { PriorityQueue } from './priority-queue.js'
export type {
  BucketRateLimiterOptions,
  ItemExponentialFailureRateLimiterOptions,
  RateLimiter,
} from './rate-limiter.js'
export {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  MaxOfRateLimiter,
} from './rate-limiter.js'
export type { AddOptions, HistogramSnapshot, QueueSnapshot, WorkItem, WorkQueue, WorkQueueOptions } from './work-queue.js'
