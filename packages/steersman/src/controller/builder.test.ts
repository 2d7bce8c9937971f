import { describe, expect, test } from 'vitest'
import type { AnyResourceType } from '../api/index.js'
import type { Cache } from '../cache/index.js'
import type { Client } from '../client/index.js'
import { VirtualWorld } from '../environment/index.js'
import { discardLogger } from '../internal/index.js'
import { type ControllerHost, controllerManagedBy } from './builder.js'
import type { Controller } from './controller.js'

const type = (kind: string): AnyResourceType => ({
  group: 'example.com',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  listKind: `${kind}List`,
  shortNames: [],
  categories: [],
  scope: 'Namespaced',
})
const Widget = type('Widget')
const Gadget = type('Gadget')

function host(): ControllerHost & { readonly added: Controller[]; readonly informed: string[] } {
  const names = new Set<string>()
  const added: Controller[] = []
  const informed: string[] = []
  return {
    added,
    informed,
    environment: new VirtualWorld({ seed: 1 }).process('operator'),
    client: {} as Client,
    cache: {
      informer: (asked: AnyResourceType) => {
        informed.push(asked.kind)
        return {}
      },
    } as unknown as Cache,
    logger: discardLogger,
    abandonSignal: new AbortController().signal,
    claimControllerName(name) {
      if (names.has(name)) throw new TypeError(`taken: ${name}`)
      names.add(name)
    },
    add: (controller) => void added.push(controller),
  }
}

const reconcile = async () => {}

describe('controllerManagedBy', () => {
  test('makes a controller named after its kind and informs it of what it watches', () => {
    const manager = host()
    const controller = controllerManagedBy(manager).for(Widget).owns(Gadget).complete(reconcile)
    expect(controller.name).toBe('widget')
    expect(manager.added).toEqual([controller])
    expect(manager.informed).toEqual(['Widget', 'Gadget'])
  })

  test('refuses a second for()', () => {
    expect(() => controllerManagedBy(host()).for(Widget).for(Gadget)).toThrow(
      'Cannot reconcile Gadget: the controller is already for Widget',
    )
  })

  test('refuses owns() before for()', () => {
    expect(() => controllerManagedBy(host()).owns(Gadget)).toThrow('Cannot watch owned Gadget: call for() before owns()')
  })

  test('refuses a controller without a name, without watches, or with a name that is taken', () => {
    const manager = host()
    expect(() => controllerManagedBy(manager).complete(reconcile)).toThrow('it has no name')
    expect(() => controllerManagedBy(manager).named('idle').complete(reconcile)).toThrow(
      'Cannot make controller "idle": it watches nothing',
    )
    controllerManagedBy(manager).for(Widget).complete(reconcile)
    expect(() => controllerManagedBy(manager).for(Widget).complete(reconcile)).toThrow('taken: widget')
  })
})
