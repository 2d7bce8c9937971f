import type { Scenario, Step } from '../language/index.js'

/** A scenario as it would stand in a file of scenarios. */
export function scenarioText({ name, steps }: Scenario): string {
  return [`scenario(${text(name)}, (s) => {`, ...steps.map((step) => `  ${stepText(step)}`), '})'].join('\n')
}

function stepText(step: Step): string {
  if (step.kind !== 'request') return `// ${JSON.stringify(step)}`
  const { accept, 'content-type': contentType, ...headers } = step.headers
  const options = {
    ...(accept === 'application/json' ? {} : { accept }),
    ...(contentType === undefined || contentType === 'application/json' ? {} : { contentType }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(step.user === 'admin' ? {} : { user: step.user }),
    ...(step.body !== undefined && 'text' in step.body ? { text: step.body.text } : {}),
  }
  const body = step.body !== undefined && 'json' in step.body ? JSON.stringify(step.body.json) : 'undefined'
  const hasOptions = Object.keys(options).length > 0
  const args = [
    text(step.method),
    text(step.path),
    ...(body !== 'undefined' || hasOptions ? [body] : []),
    ...(hasOptions ? [JSON.stringify(options)] : []),
  ]
  return `s.request(${args.join(', ')}) // ${step.id}`
}

function text(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
