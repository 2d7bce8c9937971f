import { defineArea, type JsonObject, named, podSpec, type Resource, table } from '../language/index.js'

const jobs: Resource = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', isNamespaced: true }
const cronJobs: Resource = { group: 'batch', version: 'v1', plural: 'cronjobs', kind: 'CronJob', isNamespaced: true }

const status = { subresource: 'status' }
const template = (spec: JsonObject = {}): JsonObject => ({ spec: podSpec({ restartPolicy: 'Never', ...spec }) })
const job = (spec: JsonObject = {}): JsonObject => ({ template: template(), ...spec })
const cron = (spec: JsonObject = {}): JsonObject => ({ schedule: '*/5 * * * *', jobTemplate: { spec: job() }, ...spec })
const condition = (type: string, value = 'True'): JsonObject => ({ type, status: value })
const times = (more: JsonObject = {}): JsonObject => ({ startTime: '2026-01-01T00:00:00Z', ...more })

/** What runs to its end. */
export const kindsBatch = defineArea('kinds batch', (scenario) => {
  scenario('jobs', (s) => {
    s.create(jobs, { ...named('a'), spec: job(), status: { active: 3 } })
    s.create(jobs, {
      ...named('b.c', { labels: { own: 'yes' } }),
      spec: job({
        parallelism: 2,
        completionMode: 'Indexed',
        completions: 4,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 2,
        activeDeadlineSeconds: 100,
        ttlSecondsAfterFinished: 0,
        suspend: true,
        managedBy: 'example.com/me',
        successPolicy: { rules: [{ succeededIndexes: '0,2-3', succeededCount: 1 }] },
        podFailurePolicy: {
          rules: [
            { action: 'FailJob', onExitCodes: { containerName: 'main', operator: 'In', values: [1, 5] } },
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
          ],
        },
      }),
    })
    s.create(jobs, {
      ...named('c'),
      spec: {
        manualSelector: true,
        completions: 0,
        suspend: true,
        selector: { matchLabels: { app: 'x' } },
        template: { metadata: { labels: { app: 'x' } }, spec: podSpec({ restartPolicy: 'OnFailure' }) },
      },
    })
    s.create(jobs, { ...named('d'), spec: { parallelism: 3, template: { metadata: { labels: { app: 'x' } }, ...template() } } })
    s.update(jobs, { ...named('a'), status: { active: 2 } }, status)
    s.patch(jobs, 'a', 'merge', { status: times({ active: 1, ready: 1 }) }, status)
    s.list(jobs, { ...table, query: { fieldSelector: 'status.successful=0' } })
    s.list(jobs, { query: { fieldSelector: 'status.failed=0' } })
    s.patch(jobs, 'a', 'merge', { spec: { parallelism: 3, suspend: true, backoffLimit: 2, ttlSecondsAfterFinished: 7 } })
    s.patch(jobs, 'c', 'merge', {
      spec: {
        completions: 2,
        completionMode: 'Indexed',
        selector: { matchLabels: { app: 'y' } },
        template: { metadata: { labels: { app: 'y' } } },
      },
    })
    s.patch(jobs, 'b.c', 'merge', { spec: { completions: 3, managedBy: 'example.com/you', podFailurePolicy: null, successPolicy: null } })
    s.patch(jobs, 'b.c', 'merge', {
      spec: { completions: 3, parallelism: 3, maxFailedIndexes: 3, template: { spec: { nodeSelector: { a: 'b' } } } },
    })
    s.delete(jobs, 'a')
    s.get(jobs, 'a')
    s.delete(jobs, 'c', { propagationPolicy: 'Background' })
    s.deleteCollection(jobs)
  })

  scenario('jobs that are refused', (s) => {
    s.create(jobs, named('a'))
    s.create(jobs, { ...named('a'), spec: { template: { spec: podSpec() } } })
    s.create(jobs, {
      ...named('A_'),
      spec: job({
        parallelism: -1,
        completions: -1,
        activeDeadlineSeconds: -1,
        backoffLimit: -1,
        ttlSecondsAfterFinished: -1,
        backoffLimitPerIndex: -1,
        maxFailedIndexes: -1,
        managedBy: 'me',
        completionMode: 'Sometimes',
        podReplacementPolicy: 'Never',
        template: { metadata: { labels: { 'job-name': 'other', 'controller-uid': 'x' } }, spec: podSpec({ restartPolicy: 'Sometimes' }) },
      }),
    })
    s.create(jobs, {
      ...named('a'),
      spec: job({ maxFailedIndexes: 1, successPolicy: { rules: [] }, managedBy: `example.com/${'x'.repeat(60)}` }),
    })
    s.create(jobs, {
      ...named('a'),
      spec: job({
        completionMode: 'Indexed',
        completions: 3,
        parallelism: 100_001,
        maxFailedIndexes: 4,
        backoffLimitPerIndex: 1,
        podReplacementPolicy: 'TerminatingOrFailed',
        successPolicy: {
          rules: [
            {},
            { succeededIndexes: '1-x', succeededCount: 4 },
            { succeededIndexes: '1,1', succeededCount: -1 },
            { succeededIndexes: '0-1-2' },
          ],
        },
        podFailurePolicy: {
          rules: [
            {},
            { action: 'Explode', onExitCodes: { operator: 'Near', containerName: 'nobody', values: [] } },
            {
              action: 'FailIndex',
              onExitCodes: { operator: 'In', values: [5, 0, 5] },
              onPodConditions: [{ type: 'a b', status: 'Maybe' }],
            },
          ],
        },
        template: template({ restartPolicy: 'OnFailure' }),
      }),
    })
    s.create(jobs, {
      ...named('a'),
      spec: job({ completionMode: 'Indexed', completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 1 }),
    })
    s.create(jobs, { ...named('a'), spec: job({ selector: { matchLabels: { a: 'b' } } }) })
    s.create(jobs, { ...named('a'), spec: job({ manualSelector: true }) })
    s.create(jobs, { ...named('x'.repeat(62)), spec: job({ completionMode: 'Indexed', completions: 11 }) })
    s.create(jobs, {
      ...named('a'),
      spec: job({ podFailurePolicy: { rules: [{ action: 'FailIndex', onPodConditions: [{ type: 'X' }] }] } }),
    })
  })

  scenario('the status of jobs', (s) => {
    const indexed = { completionMode: 'Indexed', completions: 5, parallelism: 5, backoffLimitPerIndex: 1 }
    s.create(jobs, { ...named('a'), spec: job() }, { isQuiet: true })
    s.create(jobs, { ...named('b'), spec: job(indexed) }, { isQuiet: true })
    s.create(jobs, { ...named('c'), spec: job() }, { isQuiet: true })
    const change = (name: string, value: JsonObject) => s.patch(jobs, name, 'merge', { status: value }, status)
    change('a', { active: -1, succeeded: -1, failed: -1, ready: -2, terminating: -3 })
    change('a', { active: 1, ready: 2, uncountedTerminatedPods: { succeeded: ['1', ''], failed: ['1'] } })
    change('a', { completedIndexes: '1', failedIndexes: '1' })
    change('a', { completionTime: '2026-01-01T00:00:00Z' })
    change('a', { conditions: [condition('Complete'), condition('Failed'), condition('FailureTarget')], active: 1, terminating: 1 })
    change('a', { conditions: [condition('Failed')], uncountedTerminatedPods: { failed: ['1'] } })
    change('a', times({ failed: 2, succeeded: 2 }))
    change('a', { failed: 1, succeeded: 1, startTime: '2026-01-02T00:00:00Z' })
    change('a', times({ conditions: [condition('SuccessCriteriaMet'), condition('Complete')], completionTime: '2025-01-01T00:00:00Z' }))
    change('a', times({ conditions: [condition('SuccessCriteriaMet'), condition('Complete')], completionTime: '2026-01-01T01:00:00Z' }))
    change('a', { conditions: [], completionTime: '2026-01-01T02:00:00Z' })
    change('b', { completedIndexes: '0,2-9', failedIndexes: '3,1' })
    change('b', { completedIndexes: '0,2-3', failedIndexes: '1-2' })
    change('b', { completedIndexes: '0,2-3', failedIndexes: '1', succeeded: 3 })
    change('b', { succeeded: 2, conditions: [condition('SuccessCriteriaMet'), condition('FailureTarget'), condition('Failed')] })
    change('c', times({ conditions: [condition('FailureTarget'), condition('Failed')], failed: 1 }))
    s.list(jobs, table)
  })

  scenario('cron jobs', (s) => {
    s.create(cronJobs, { ...named('a'), spec: cron(), status: { lastScheduleTime: '2026-01-01T00:00:00Z' } })
    s.create(cronJobs, {
      ...named('b.c'),
      spec: cron({
        schedule: '@hourly',
        timeZone: 'Europe/Berlin',
        startingDeadlineSeconds: 0,
        concurrencyPolicy: 'Replace',
        suspend: true,
        successfulJobsHistoryLimit: 0,
        failedJobsHistoryLimit: 5,
        jobTemplate: {
          metadata: { labels: { x: 'y' }, annotations: { a: 'b' } },
          spec: job({
            parallelism: 2,
            backoffLimit: 1,
            podFailurePolicy: { rules: [{ action: 'Count', onPodConditions: [{ type: 'X' }] }] },
          }),
        },
      }),
    })
    s.patch(
      cronJobs,
      'a',
      'merge',
      { status: { active: [{ kind: 'Job', name: 'x' }], lastSuccessfulTime: '2026-01-01T00:00:00Z' } },
      status,
    )
    s.list(cronJobs, table)
    s.patch(cronJobs, 'a', 'merge', { spec: { schedule: '0 0 1-5/2 jan,feb mon-fri', suspend: true } })
    s.patch(cronJobs, 'a', 'merge', { spec: { jobTemplate: { spec: { template: { spec: { restartPolicy: 'Always' } } } } } })
    s.delete(cronJobs, 'a')
  })

  scenario('cron jobs that are refused', (s) => {
    s.create(cronJobs, named('a'))
    s.create(cronJobs, {
      ...named('x'.repeat(53)),
      spec: cron({
        schedule: 'x',
        timeZone: 'Nowhere/Never',
        startingDeadlineSeconds: -1,
        concurrencyPolicy: 'Sometimes',
        successfulJobsHistoryLimit: -1,
        failedJobsHistoryLimit: -1,
        jobTemplate: {
          metadata: { labels: { 'a b': 'c' } },
          spec: job({ selector: { matchLabels: { a: 'b' } }, manualSelector: true, completions: -1, completionMode: 'Indexed' }),
        },
      }),
    })
    for (const schedule of [
      '* * * *',
      '60 * * * *',
      '* 5-3 * * *',
      '* * 0 * *',
      '* * * foo *',
      '*/0 * * * *',
      '1-2-3 * * * *',
      '1/2/3 * * * *',
      '-1 * * * *',
      '@often',
      '@every 5',
      '@every 1d',
      '@every x',
      'TZ=UTC * * * * *',
      'CRON_TZ=Nowhere * * * * *',
      'TZ=0',
    ]) {
      s.create(cronJobs, { ...named('a'), spec: cron({ schedule }) })
    }
    for (const timeZone of ['', 'Local', 'europe/berlin', 'A/../B', '-x', '+01', 'UTC0']) {
      s.create(cronJobs, { ...named('a'), spec: cron({ timeZone }) })
    }
  })
})
