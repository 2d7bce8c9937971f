import { defineArea, type JsonObject, named, type Resource, type ScenarioBuilder, table } from '../language/index.js'

const networking = (kind: string, plural: string, isNamespaced = true): Resource => ({
  group: 'networking.k8s.io',
  version: 'v1',
  plural,
  kind,
  isNamespaced,
})
const ingresses = networking('Ingress', 'ingresses')
const ingressClasses = networking('IngressClass', 'ingressclasses', false)
const policies = networking('NetworkPolicy', 'networkpolicies')
const addresses = networking('IPAddress', 'ipaddresses', false)
const serviceCidrs = networking('ServiceCIDR', 'servicecidrs', false)
const endpoints: Resource = { group: '', version: 'v1', plural: 'endpoints', kind: 'Endpoints', isNamespaced: true }
const slices: Resource = { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices', kind: 'EndpointSlice', isNamespaced: true }

const backend = (name = 'web', port: JsonObject = { number: 80 }): JsonObject => ({ service: { name, port } })
const path = (more: JsonObject = {}): JsonObject => ({ path: '/', pathType: 'Prefix', backend: backend(), ...more })
const rule = (host: string, ...paths: readonly JsonObject[]): JsonObject => ({ host, http: { paths } })

/** Admission of the real server sees classes through a cache: this gives it time to follow. */
function letCachesFollow(s: ScenarioBuilder): void {
  for (let request = 0; request < 40; request++) s.list(ingresses, { isQuiet: true })
}

/** How traffic finds its way. */
export const kindsNetworking = defineArea('kinds networking', (scenario) => {
  scenario('ingresses', (s) => {
    s.create(ingresses, { ...named('a'), spec: { defaultBackend: backend() }, status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } })
    s.create(ingresses, {
      ...named('b'),
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['example.com', '*.example.com'], secretName: 's' }],
        rules: [
          rule('example.com', path(), path({ path: '/x', pathType: 'Exact', backend: backend('web', { name: 'http' }) })),
          rule('*.example.com', path({ path: '', pathType: 'ImplementationSpecific' })),
          { host: 'third.example.com' },
          { http: { paths: [path({ backend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'x' } } })] } },
        ],
      },
    })
    s.create(ingresses, { ...named('c', { annotations: { 'kubernetes.io/ingress.class': 'x' } }), spec: { rules: [rule('', path())] } })
    s.patch(
      ingresses,
      'b',
      'merge',
      {
        status: { loadBalancer: { ingress: [{ ip: '10.0.0.1', ports: [{ port: 80, protocol: 'TCP' }] }, { hostname: 'a.example.com' }] } },
      },
      { subresource: 'status' },
    )
    s.list(ingresses, table)
    s.patch(
      ingresses,
      'b',
      'merge',
      { status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.2.3.4' }] } } },
      { subresource: 'status' },
    )
    s.patch(ingresses, 'a', 'merge', { spec: { ingressClassName: 'other' } })
    s.patch(ingresses, 'a', 'merge', { spec: { defaultBackend: null } })
    s.delete(ingresses, 'a')
  })

  scenario('ingresses that are wrong', (s) => {
    const create = (spec: JsonObject) => s.create(ingresses, { ...named('a'), spec })
    s.create(ingresses, { ...named('A_b'), spec: {} })
    create({
      ingressClassName: 'A_b',
      tls: [{ hosts: ['A_b', '*.*.com'], secretName: 'A_b' }],
      defaultBackend: {},
      rules: [
        { host: '1.2.3.4', http: { paths: [] } },
        rule('*.*.com', path({ path: 'x', backend: { ...backend(), resource: { kind: 'x', name: 'x' } } })),
        rule(
          'A_b',
          path({ pathType: 'Odd' }),
          path({ path: '/a//b/./c/../d%2fe/..' }),
          path({ path: 'x', pathType: 'ImplementationSpecific' }),
        ),
      ],
    })
    create({
      rules: [
        rule(
          '',
          { path: '/', backend: backend() },
          path({ backend: backend('', {}) }),
          path({ backend: backend('A_b', { name: 'A_b' }) }),
          path({ backend: backend('1b', { number: 70_000 }) }),
          path({ backend: backend('b', { number: 1, name: 'x' }) }),
          path({ backend: { resource: { apiGroup: 'A_b', kind: '', name: 'a/b' } } }),
        ),
      ],
    })
    s.create(ingresses, {
      ...named('a', { annotations: { 'kubernetes.io/ingress.class': 'x' } }),
      spec: { ingressClassName: 'y', defaultBackend: backend() },
    })
  })

  scenario('ingress classes', (s) => {
    const [a, b, second] = [s.unique('a'), s.unique('b'), s.unique('c')]
    const marked = (name: string) => named(name, { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } })
    s.create(ingressClasses, { ...named(a), spec: { controller: 'example.com/x' } })
    s.create(ingresses, { ...named('none'), spec: { defaultBackend: backend() } })
    s.create(ingressClasses, {
      ...marked(b),
      spec: { controller: 'example.com/x', parameters: { apiGroup: 'example.com', kind: 'P', name: 'p' } },
    })
    s.get(ingressClasses, b, table)
    letCachesFollow(s)
    s.create(ingresses, { ...named('x'), spec: { defaultBackend: backend() } })
    s.create(ingresses, { ...named('y', { annotations: { 'kubernetes.io/ingress.class': 'z' } }), spec: { defaultBackend: backend() } })
    // Of two the newer one would win, in whole seconds.
    s.delete(ingressClasses, b)
    s.create(ingressClasses, { ...marked(second), spec: { controller: 'example.com/x' } })
    letCachesFollow(s)
    s.create(ingresses, { ...named('z'), spec: { defaultBackend: backend() } })
    s.create(ingressClasses, {
      ...named('A_b'),
      spec: { controller: 'x', parameters: { apiGroup: 'A_b', kind: '', name: '', scope: 'Odd' } },
    })
    s.create(ingressClasses, { ...named(s.unique('d')), spec: { parameters: { kind: 'a/b', name: 'x', scope: 'Namespace' } } })
    s.create(ingressClasses, {
      ...named(s.unique('d')),
      spec: { controller: 'example.com/x', parameters: { kind: 'P', name: 'x', scope: 'Cluster', namespace: 'n' } },
    })
    s.create(ingressClasses, { ...named(s.unique('d')), spec: { controller: `example.com/${'x'.repeat(250)}` } })
    s.patch(ingressClasses, a, 'merge', { spec: { controller: 'example.com/y' } })
    s.patch(ingressClasses, a, 'merge', { spec: { parameters: { kind: 'P', name: 'x', scope: 'Namespace', namespace: 'n' } } })
    for (const name of [a, second]) s.delete(ingressClasses, name)
  })

  scenario('network policies', (s) => {
    s.create(policies, { ...named('a'), spec: {} })
    s.create(policies, {
      ...named('b'),
      spec: {
        podSelector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['y'] }] },
        ingress: [
          {
            from: [
              { podSelector: {} },
              { namespaceSelector: { matchLabels: { a: 'b' } }, podSelector: {} },
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
            ],
            ports: [{ port: 80 }, { port: 'http', protocol: 'UDP' }, { port: 1, endPort: 10 }, {}],
          },
          {},
        ],
        egress: [{ to: [{ ipBlock: { cidr: '2001:db8::/32' } }] }],
      },
    })
    s.list(policies, table)
    s.patch(policies, 'a', 'merge', { spec: { policyTypes: ['Egress'] } })
    s.create(policies, {
      ...named('A_b'),
      spec: {
        podSelector: { matchLabels: { 'A b': 'c d' } },
        policyTypes: ['Odd'],
        ingress: [
          {
            from: [
              {},
              { podSelector: {}, ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/8', 'x', '10.0.0.0/8'] } },
              { ipBlock: { cidr: '' } },
            ],
            ports: [{ port: 0, protocol: 'Odd', endPort: -1 }, { port: 'A_b', endPort: 3 }, { endPort: 3 }],
          },
        ],
        egress: [{ to: [{ ipBlock: { cidr: 'x' } }, { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } }] }],
      },
    })
    s.create(policies, { ...named('c'), spec: { policyTypes: ['Ingress', 'Egress', 'Ingress'] } })
    s.create(policies, {
      ...named('d'),
      spec: { egress: [{ to: [{ ipBlock: { cidr: '10.0.0.1/8' } }, { ipBlock: { cidr: '010.0.0.0/8' } }] }] },
    })
    s.create(policies, { ...named('e'), spec: { egress: [{ to: [{ ipBlock: { cidr: '2001:DB8::/32' } }] }] } })
    s.delete(policies, 'a')
  })

  scenario('IP addresses', (s) => {
    const parent = { resource: 'services', namespace: 'n', name: 'x' }
    s.create(addresses, { ...named('192.0.2.7'), spec: { parentRef: parent } })
    s.get(addresses, '192.0.2.7', table)
    s.create(addresses, { ...named('2001:db8::7'), spec: { parentRef: { ...parent, group: 'example.com' } } })
    s.get(addresses, '2001:db8::7', table)
    s.create(addresses, named('192.0.2.8'))
    s.create(addresses, { ...named('192.0.02.8'), spec: { parentRef: { group: 'A_b', resource: '', namespace: 'a/b', name: '' } } })
    s.create(addresses, { ...named('2001:DB8::7'), spec: { parentRef: { resource: 'a/b', name: '..' } } })
    s.create(addresses, { ...named('x'), spec: { parentRef: parent } })
    s.patch(addresses, '192.0.2.7', 'merge', { spec: { parentRef: { name: 'y' } } })
    s.patch(addresses, '192.0.2.7', 'merge', { metadata: { labels: { a: 'b' } } })
    s.delete(addresses, '192.0.2.7')
    s.delete(addresses, '2001:db8::7')
  })

  scenario('service CIDRs', (s) => {
    const a = s.unique('a')
    s.create(serviceCidrs, { ...named(a), spec: { cidrs: ['192.168.0.0/24'] }, status: { conditions: [] } })
    s.get(serviceCidrs, a, table)
    s.create(serviceCidrs, { ...named('A_b'), spec: {} })
    s.create(serviceCidrs, { ...named(s.unique('b')), spec: { cidrs: ['192.168.0.1/24', 'x'] } })
    s.create(serviceCidrs, { ...named(s.unique('b')), spec: { cidrs: ['192.168.0.0/24', '192.168.1.0/24'] } })
    s.create(serviceCidrs, { ...named(s.unique('b')), spec: { cidrs: ['2001:DB8::/64', '192.168.01.0/24'] } })
    s.create(serviceCidrs, { ...named(s.unique('b')), spec: { cidrs: ['::ffff:1.2.3.0/120', '192.168.77.0/24'] } })
    s.create(serviceCidrs, { ...named(s.unique('b')), spec: { cidrs: ['192.168.77.1/24', '192.168.77.0/24'] } })
    s.update(serviceCidrs, named(a))
    s.patch(serviceCidrs, a, 'merge', { spec: { cidrs: ['192.168.2.0/24'] } })
    s.patch(serviceCidrs, a, 'merge', { spec: { cidrs: [] } })
    s.patch(serviceCidrs, a, 'merge', { spec: { cidrs: ['192.168.0.0/24', '2001:db8::/64'] } })
    s.patch(
      serviceCidrs,
      a,
      'merge',
      {
        metadata: { labels: { a: 'b' } },
        status: { conditions: [{ type: 'Ready', status: 'True', reason: 'R', message: '', lastTransitionTime: '2020-01-02T03:04:05Z' }] },
      },
      { subresource: 'status' },
    )
    s.delete(serviceCidrs, a)
    s.patch(serviceCidrs, a, 'merge', { metadata: { finalizers: null } })
    s.get(serviceCidrs, 'kubernetes')
  })

  scenario('endpoints', (s) => {
    s.create(endpoints, named('a'))
    s.create(endpoints, {
      ...named('b'),
      subsets: [
        {
          addresses: [{ ip: '10.0.0.1', hostname: 'h', nodeName: 'n', targetRef: { kind: 'Pod', name: 'p' } }, { ip: '10.0.0.2' }],
          notReadyAddresses: [{ ip: '10.0.0.3' }],
          ports: [
            { name: 'x', port: 80 },
            { name: 'y', port: 81, protocol: 'UDP', appProtocol: 'h2' },
          ],
        },
        { addresses: [{ ip: '2001:DB8::1' }] },
      ],
    })
    s.list(endpoints, table)
    s.create(endpoints, {
      ...named('A_b'),
      subsets: [
        {},
        {
          addresses: [
            { ip: 'x' },
            { ip: '127.0.0.1', hostname: 'A_b', nodeName: 'A_b' },
            { ip: '169.254.0.1' },
            { ip: '224.0.0.1' },
            { ip: '0.0.0.0' },
          ],
          ports: [
            { port: 0, protocol: 'Odd' },
            { name: 'A_b', port: 70_000, appProtocol: 'a b' },
          ],
        },
      ],
    })
    s.update(endpoints, { ...named('new'), subsets: [] })
    s.patch(endpoints, 'b', 'merge', { subsets: null })
    s.delete(endpoints, 'a')
    s.delete(endpoints, 'b')
  })

  scenario('endpoint slices', (s) => {
    const endpoint = (...ips: readonly string[]): JsonObject => ({ addresses: ips })
    s.create(slices, { ...named('a'), addressType: 'IPv4', endpoints: [], ports: [] })
    s.create(slices, {
      ...named('b', { labels: { 'kubernetes.io/service-name': 'x' } }),
      addressType: 'IPv4',
      endpoints: [
        {
          ...endpoint('10.0.0.1'),
          conditions: { ready: true },
          hostname: 'h',
          nodeName: 'n',
          zone: 'z',
          hints: { forZones: [{ name: 'z' }], forNodes: [{ name: 'n' }] },
          targetRef: { kind: 'Pod', name: 'p' },
          deprecatedTopology: { a: 'b' },
        },
        endpoint('10.0.0.2'),
        endpoint('10.0.0.3'),
        endpoint('10.0.0.4'),
      ],
      ports: [{ port: 80 }, { name: 'x', protocol: 'UDP', port: 81, appProtocol: 'h2' }],
    })
    s.create(slices, {
      ...named('c'),
      addressType: 'FQDN',
      endpoints: [endpoint('example.com')],
      ports: [{ name: 'only' }, { name: 'q', port: 1 }],
    })
    s.create(slices, { ...named('d'), addressType: 'IPv6', endpoints: [endpoint('2001:db8::1')] })
    s.list(slices, table)
    s.patch(slices, 'a', 'merge', { addressType: 'IPv6' })
    s.patch(slices, 'a', 'merge', { endpoints: [endpoint('10.0.0.9')] })
    s.patch(slices, 'a', 'merge', { addressType: 'IPv6', endpoints: [{ ...endpoint('10.0.0.9'), hints: {} }] })
    s.patch(slices, 'a', 'merge', { metadata: { labels: { a: 'b' } } })
    s.patch(slices, 'a', 'merge', { metadata: { annotations: { a: 'b' } } })
    s.create(slices, named('A_b'))
    s.create(slices, {
      ...named('e'),
      addressType: 'Odd',
      endpoints: [endpoint()],
      ports: [{ name: 'A_b', protocol: 'Odd', appProtocol: 'a b' }, { name: '' }, {}],
    })
    s.create(slices, {
      ...named('e'),
      addressType: 'IPv4',
      endpoints: [
        endpoint('x', '2001:db8::1', '127.0.0.1', '10.0.0.01'),
        {
          ...endpoint('10.0.0.1'),
          nodeName: 'A_b',
          hostname: 'A_b',
          hints: { forZones: [{ name: 'a b' }, { name: 'a b' }], forNodes: [{ name: 'A_b' }, { name: 'A_b' }] },
        },
      ],
    })
    s.create(slices, { ...named('f'), addressType: 'IPv6', endpoints: [endpoint('2001:DB8::1', '10.0.0.1', 'fe80::1')] })
    s.create(slices, { ...named('g'), addressType: 'FQDN', endpoints: [endpoint('A_b', 'x')] })
    s.delete(slices, 'a')
  })
})
