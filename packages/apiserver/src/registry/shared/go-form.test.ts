import { describe, expect, test } from 'vitest'
import { goForm } from './go-form.js'
import { goStructs } from './go-structs.generated.js'

describe('goForm', () => {
  // As kube-apiserver v1.37.2 refuses the change of a job's template.
  test('shows a template with what is not there', () => {
    const text = JSON.stringify(
      goForm('PodTemplateSpec', {
        metadata: { labels: { b: '1', a: '2' } },
        spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 30 },
      }),
    )
    expect(text).toMatch(
      /^\{"labels":\{"a":"2","b":"1"\},"Spec":\{"Volumes":null,"InitContainers":null,"Containers":null,"EphemeralContainers":null,"RestartPolicy":"Always","TerminationGracePeriodSeconds":30,"ActiveDeadlineSeconds":null,"DNSPolicy":""/,
    )
  })

  test('shows lists, pointers and values of structs', () => {
    expect(goForm('PodFailurePolicy', { rules: [{ action: 'FailIndex' }] })).toEqual({
      Rules: [{ Action: 'FailIndex', OnExitCodes: null, OnPodConditions: null }],
    })
    expect(goForm('SuccessPolicy', undefined)).toEqual({ Rules: null })
  })

  test('shows a struct that is not written down to nobody', () => {
    expect(() => goForm('Nothing', {})).toThrow('Cannot show a Nothing as Go does')
  })

  test('knows every struct that another one holds', () => {
    for (const name of Object.keys(goStructs)) expect(() => goForm(name, {}), name).not.toThrow()
    const named = Object.values(goStructs).flatMap((text) => [...text.matchAll(/[?^[{](\w+)/g)].map(([, struct = '']) => struct))
    expect(named.filter((struct) => goStructs[struct] === undefined)).toEqual([])
  })
})
