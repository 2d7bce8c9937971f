import type { HeapHandle } from '../internal/index.js'
import { Heap, onAbort, throwIfAborted } from '../internal/index.js'
import { compareResourceVersions, isAtLeast } from './resource-version.js'
import { WaitList } from './wait-list.js'

/** How many deletions are remembered for waits that begin after the deletion was seen. */
const rememberedDeletions = 4096

interface VersionWait {
  readonly resourceVersion: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Waits of one informer for writes to show in its store.
 *
 * A watch brings the changes of a kind in the order of their resourceVersions, so the store contains a write as soon as the informer
 * has seen anything at or beyond the write's resourceVersion, of whatever object, bookmarks included. A removal may come without
 * a resourceVersion (the server answers with a Status) and is recognised by the uid.
 */
export class WriteWaits {
  readonly #byVersion = new Heap<VersionWait>((left, right) => compareResourceVersions(left.resourceVersion, right.resourceVersion) ?? 0)
  readonly #byUid = new Map<string, WaitList>()
  readonly #deletedUids = new Set<string>()
  #seen: string | undefined

  hasSeen(resourceVersion: string): boolean {
    return isAtLeast(this.#seen, resourceVersion)
  }

  /** Whether the deletion of the object was seen lately. */
  hasSeenDeletion(uid: string): boolean {
    return this.#deletedUids.has(uid)
  }

  /** The store contains everything up to this version. */
  advance(resourceVersion: string): void {
    this.#seen = resourceVersion
    for (let first = this.#byVersion.peek(); first !== undefined && this.hasSeen(first.resourceVersion); first = this.#byVersion.peek()) {
      this.#byVersion.pop()
      first.resolve()
    }
  }

  /** The object is no longer in the store. */
  deleted(uid: string | undefined): void {
    if (uid === undefined) return
    this.#deletedUids.add(uid)
    if (this.#deletedUids.size > rememberedDeletions) {
      const [oldest] = this.#deletedUids
      this.#deletedUids.delete(oldest as string)
    }
    this.#byUid.get(uid)?.resolveAll()
    this.#byUid.delete(uid)
  }

  /** After a relist: deletions waited for may have happened unseen, between two states that both lack the object. */
  replaced(presentUids: { has(uid: string): boolean }): void {
    for (const uid of [...this.#byUid.keys()]) {
      if (!presentUids.has(uid)) this.deleted(uid)
    }
  }

  get isWaitingForDeletion(): boolean {
    return this.#byUid.size > 0
  }

  async waitForVersion(resourceVersion: string, signal?: AbortSignal): Promise<void> {
    if (this.hasSeen(resourceVersion)) return
    throwIfAborted(signal)
    await new Promise<void>((resolve, reject) => {
      let handle: HeapHandle<VersionWait> | undefined
      const release = signal === undefined ? undefined : onAbort(signal, () => wait.reject(signal.reason))
      const wait: VersionWait = {
        resourceVersion,
        resolve: () => {
          release?.()
          resolve()
        },
        reject: (error) => {
          release?.()
          if (handle !== undefined) this.#byVersion.remove(handle)
          reject(error)
        },
      }
      handle = this.#byVersion.push(wait)
    })
  }

  async waitForDeletion(uid: string, signal?: AbortSignal): Promise<void> {
    if (this.hasSeenDeletion(uid)) return
    let waits = this.#byUid.get(uid)
    if (waits === undefined) {
      waits = new WaitList()
      this.#byUid.set(uid, waits)
    }
    try {
      await waits.wait(signal)
    } finally {
      if (waits.size === 0 && this.#byUid.get(uid) === waits) this.#byUid.delete(uid)
    }
  }

  /** Rejects every wait: nothing will be seen any more. */
  stop(error: unknown): void {
    for (const wait of [...this.#byVersion]) wait.reject(error)
    for (const waits of [...this.#byUid.values()]) waits.rejectAll(error)
  }
}
