import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { runSuite, type SuiteAnswer, suiteRequests } from '../endpoints/requests.suite.js'
import { type ControlPlane, startControlPlane } from './control-plane.js'
import { http1Sender, http2Sender, type Sender, transportSender } from './senders.testing.js'

const goldenFile = new URL('../endpoints/golden/requests.json', import.meta.url)
const names = { ns: 'suite', group: 'suite.example.com' }

/** To record anew: the URL and a token of a real kube-apiserver's administrator. */
const { STEERSMAN_RECORD_URL: recordUrl, STEERSMAN_RECORD_TOKEN: recordToken } = process.env

interface Golden {
  readonly request: string
  readonly answer: SuiteAnswer
}

if (recordUrl !== undefined) {
  test('record the answers of a real server', { timeout: 120_000 }, async () => {
    const target = { url: recordUrl, tls: { rejectUnauthorized: false }, headers: { authorization: `Bearer ${recordToken}` } }
    const sender = http2Sender(target)
    const suffix = Date.now().toString(36)
    const patient: Sender['send'] = async (request) => {
      let answer = await sender.send(request)
      for (let attempt = 0; request.awaits === 'served' && answer.status !== 200 && attempt < 50; attempt++) {
        await new Promise((resolve) => setTimeout(resolve, 200))
        answer = await sender.send(request)
      }
      if (request.awaits === 'served') await new Promise((resolve) => setTimeout(resolve, 3000))
      return answer
    }
    const answers = await runSuite(patient, { ns: `suite-${suffix}`, group: `suite-${suffix}.example.com` })
    sender.close()
    const golden = answers.map((answer, index) => ({ request: describeRequest(index), answer }))
    writeFileSync(goldenFile, `${JSON.stringify(golden, null, 1)}\n`)
  })
} else {
  const golden = JSON.parse(readFileSync(goldenFile, 'utf8')) as Golden[]
  const ways: Readonly<Record<string, (controlPlane: ControlPlane) => Sender>> = {
    'HTTP/1.1': (controlPlane) => http1Sender(socketTarget(controlPlane)),
    'HTTP/2': (controlPlane) => http2Sender(socketTarget(controlPlane)),
    'the in-process transport, with bytes': (controlPlane) => transportSender(controlPlane.transport(), false),
    'the in-process transport, with values': (controlPlane) => transportSender(controlPlane.transport(), true),
  }
  /** Each way has a server of its own, and all run at once: most of the time passes in watches. */
  const runs = new Map<string, Promise<readonly SuiteAnswer[]>>()
  beforeAll(() => {
    for (const [way, open] of Object.entries(ways)) {
      const run = runOver(open)
      // Reported where it is awaited, which may be after it has failed.
      run.catch(() => {})
      runs.set(way, run)
    }
  })

  for (const way of Object.keys(ways)) {
    describe(`requests over ${way}`, () => {
      let answers: readonly SuiteAnswer[] = []
      beforeAll(async () => {
        answers = (await runs.get(way)) ?? []
      }, 60_000)

      suiteRequests.forEach(({ differs }, index) => {
        test(`${index} ${describeRequest(index)} is answered as by a real server${differs === undefined ? '' : `, except that ${differs.why}`}`, () => {
          const { request, answer } = golden[index] as Golden
          expect(describeRequest(index)).toBe(request)
          const ignored = (compared: SuiteAnswer | undefined) => ({ ...compared, body: without(compared?.body, differs?.ignore ?? []) })
          expect(ignored(answers[index])).toEqual(ignored({ ...answer, ...differs?.answer }))
        })
      })
    })
  }
}

async function runOver(open: (controlPlane: ControlPlane) => Sender): Promise<readonly SuiteAnswer[]> {
  const controlPlane = await startControlPlane({ port: 0, controllers: 'none' })
  const sender = open(controlPlane)
  try {
    return await runSuite(sender.send, names)
  } finally {
    sender.close()
    await controlPlane.stop()
  }
}

function without(body: unknown, names: readonly string[]): unknown {
  if (names.length === 0) return body
  return Object.fromEntries(Object.entries(body as object).filter(([name]) => !names.includes(name)))
}

function describeRequest(index: number): string {
  const { method, target, headers, body } = suiteRequests[index] as (typeof suiteRequests)[number]
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const accept = headers?.accept === undefined ? '' : ` (${headers.accept})`
  return `${method} ${target}${accept} ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`.trim().replaceAll('\n', ' ')
}

function socketTarget({ url, clientConfig }: ControlPlane) {
  const tls = clientConfig?.tls as Record<string, { readonly data: string }>
  return {
    url: url as string,
    tls: { ca: tls.certificateAuthority?.data ?? '', cert: tls.certificate?.data ?? '', key: tls.key?.data ?? '' },
  }
}
