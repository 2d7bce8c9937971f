import { describe, expect, test } from 'vitest'
import { servedByConfig } from './runtime-config.js'

/** What a real kube-apiserver 1.37 serves, or says when it does not start, with these values of `--runtime-config`. */
describe('servedByConfig', () => {
  const isOn = (config: Readonly<Record<string, boolean>>, name: string) => {
    const [group = '', version = '', plural = ''] = name.split('/')
    return servedByConfig(config)(group, version, plural)
  }

  test.each([
    [{}, 'resource.k8s.io/v1/deviceclasses', true],
    [{}, 'resource.k8s.io/v1beta1/deviceclasses', false],
    [{ 'api/all': true }, 'resource.k8s.io/v1beta1/deviceclasses', true],
    [{ 'api/all': true }, 'resource.k8s.io/v1alpha3/devicetaintrules', true],
    [{ 'api/beta': true }, 'resource.k8s.io/v1beta1/deviceclasses', true],
    [{ 'api/beta': true }, 'resource.k8s.io/v1alpha3/devicetaintrules', false],
    [{ 'api/alpha': true, 'api/all': false, '/v1': true }, 'resource.k8s.io/v1alpha3/devicetaintrules', true],
    [{ 'api/alpha': true, 'api/all': false, '/v1': true }, 'apps/v1/deployments', false],
    [{ 'api/alpha': true, 'api/all': false, '/v1': true }, '/v1/pods', true],
    [{ 'api/all': true, 'resource.k8s.io/v1beta1': false }, 'resource.k8s.io/v1beta1/deviceclasses', false],
    [{ 'apps/v1/deployments': false }, 'apps/v1/deployments', false],
    [{ 'apps/v1/deployments': false }, 'apps/v1/daemonsets', true],
    [{ 'apps/v1beta1': true }, 'apps/v1beta1/deployments', false],
    [{ 'resource.k8s.io/v1beta1/deviceclasses': true }, 'resource.k8s.io/v1beta1/deviceclasses', true],
    [{ 'resource.k8s.io/v1beta1/deviceclasses': true }, 'resource.k8s.io/v1beta1/resourceclaims', false],
  ])('with %j serves %s: %s', (config, name, expected) => {
    expect(isOn(config, name)).toBe(expected)
  })

  test.each([
    [{ 'api/all': false }, 'invalid runtime-config with only api/all=false'],
    [{ v1: true }, 'runtime-config invalid key v1'],
    [{ 'a/b/c/d': true }, 'runtime-config invalid key a/b/c/d'],
    [{ 'z/v1': true, 'example.com/v1': true }, 'unknown api groups example.com/v1,z/v1'],
    [{ 'apps/v9': true }, 'group version apps/v9 that has not been registered'],
    [
      { 'apps/v1/Deployments': true },
      'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
    ],
  ])('refuses %j', (config, message) => {
    expect(() => servedByConfig(config as Readonly<Record<string, boolean>>)).toThrow(new RangeError(message))
  })
})
