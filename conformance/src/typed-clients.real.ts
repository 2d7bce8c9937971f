import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startControlPlane } from '@steersman/apiserver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minimalObjects } from '../differential/scenarios/minimal-objects.js'
import { conformanceFolder } from './control-plane-binaries.js'
import { startRealControlPlane } from './real-control-plane.js'

/** What the Go program prints of one kind. */
interface Outcome {
  readonly resource: string
  readonly kind: string
  readonly steps: readonly string[]
  readonly error?: string
}

interface Facts {
  readonly resources: Readonly<Record<string, readonly { readonly kind: string; readonly plural: string; readonly namespaced?: boolean }[]>>
}

const folder = mkdtempSync(join(tmpdir(), 'steersman-typed-'))
const objectsPath = join(folder, 'objects.json')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Bodies of kinds that are never stored. */
const questions = [
  { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'unknown' } },
  ...['SubjectAccessReview', 'LocalSubjectAccessReview', 'SelfSubjectAccessReview'].map((kind) => ({
    apiVersion: 'authorization.k8s.io/v1',
    kind,
    ...(kind === 'LocalSubjectAccessReview' ? { metadata: { namespace: 'default' } } : {}),
    spec: {
      resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' },
      ...(kind.startsWith('Self') ? {} : { user: 'jane' }),
    },
  })),
  { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: 'default' } },
]

/** One object of each kind, as the scenarios of the differential suite create it. */
function objects(): unknown[] {
  const facts = JSON.parse(readFileSync(new URL('../hack/apigen/facts.json', conformanceFolder), 'utf8')) as Facts
  return Object.entries(facts.resources).flatMap(([apiVersion, resources]) =>
    resources.flatMap(({ kind, plural, namespaced = false }) => {
      const minimal = minimalObjects[apiVersion === 'v1' ? `v1/${plural}` : `${apiVersion}/${plural}`]
      if (minimal === undefined) return []
      const name = minimal.name ?? `typed-${plural}`
      const object = { apiVersion, kind, ...minimal.body, metadata: { name, ...(namespaced ? { namespace: 'default' } : {}) } }
      return [JSON.parse(JSON.stringify(object).replaceAll('{{group}}', 'typed.example.com').replaceAll('{{namespace}}', 'default'))]
    }),
  )
}

async function drive(kubeconfig: string): Promise<readonly Outcome[]> {
  const { buildHelpers } = (await import(new URL('build-control-plane/helpers.mjs', conformanceFolder).href)) as {
    buildHelpers(): Promise<string>
  }
  const args = ['typed', `--kubeconfig=${kubeconfig}`, `--objects=${objectsPath}`]
  const { stdout } = await promisify(execFile)(await buildHelpers(), args, { maxBuffer: 16 * 1024 * 1024, timeout: 120_000 })
  return JSON.parse(stdout) as readonly Outcome[]
}

describe('typed clients of client-go, over protobuf', () => {
  beforeAll(() => writeFileSync(objectsPath, JSON.stringify([...objects(), ...questions])))

  it('create, get, list, watch, update and delete every kind as on the real server', { timeout: 300_000 }, async () => {
    const real = await startRealControlPlane({ flags: ['--runtime-config=api/all=true'] })
    let expected: readonly Outcome[]
    try {
      expected = await drive(real.kubeconfigPath)
    } finally {
      await real.stop()
    }
    const kubeconfigPath = join(folder, 'ours.kubeconfig')
    const ours = await startControlPlane({ port: 0, kubeconfigPath, controllers: 'none', runtimeConfig: { 'api/all': true } })
    let outcomes: readonly Outcome[]
    try {
      outcomes = await drive(kubeconfigPath)
    } finally {
      await ours.stop()
    }
    console.log(`${outcomes.length} typed interfaces, ${outcomes.filter(({ error }) => error === undefined).length} without an error`)
    expect(expected.filter(({ error }) => error !== undefined)).toEqual([])
    expect(outcomes).toEqual(expected)
  })
})
