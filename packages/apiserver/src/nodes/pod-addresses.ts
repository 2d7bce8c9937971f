/** First and last host part of pod addresses on a node, as in a /24 network. */
const firstHost = 2
const lastHost = 254
const hostsPerNode = lastHost - firstHost + 1

/** The network of pods on the node of an index: 10.244.0.0/24, 10.244.1.0/24, …; then 10.245.0.0/24 and so on. */
export function podNetwork(nodeIndex: number): string {
  return `10.${244 + Math.floor(nodeIndex / 256)}.${nodeIndex % 256}`
}

/** The address of the node of an index, in 172.18.0.0/16: not the network's own and not the first, which is a gateway's. */
export function nodeAddress(nodeIndex: number): string {
  const host = nodeIndex + 2
  return `172.${18 + Math.floor(host / 65_536)}.${Math.floor(host / 256) % 256}.${host % 256}`
}

/** The most nodes whose pods have addresses of their own: 10.244.0.0 to 10.255.255.0. */
export const maxNodes = 12 * 256

/** Addresses of the pods on one node. Each is held by one pod; one that was given back is used again last. */
export class PodAddresses {
  readonly #network: string
  readonly #holders = new Map<string, string>()
  readonly #byPod = new Map<string, string>()
  #next = 0

  constructor(nodeIndex: number) {
    this.#network = podNetwork(nodeIndex)
  }

  /** Keeps an address that the pod has already. */
  reserve(uid: string, address: string): void {
    if (!this.#holders.has(address)) this.#hold(uid, address)
  }

  /** The pod's address. `undefined` when all are taken. */
  addressOf(uid: string): string | undefined {
    const present = this.#byPod.get(uid)
    if (present !== undefined) return present
    for (let tries = 0; tries < hostsPerNode; tries += 1) {
      const address = `${this.#network}.${firstHost + this.#next}`
      this.#next = (this.#next + 1) % hostsPerNode
      if (this.#holders.has(address)) continue
      this.#hold(uid, address)
      return address
    }
    return undefined
  }

  release(uid: string): void {
    const address = this.#byPod.get(uid)
    if (address === undefined) return
    this.#byPod.delete(uid)
    this.#holders.delete(address)
  }

  #hold(uid: string, address: string): void {
    this.#holders.set(address, uid)
    this.#byPod.set(uid, address)
  }
}
