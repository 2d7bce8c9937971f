import { ageColumn, at, column, listAt, nameColumn, numberAt, objectAge, type TablePrinter, textAt } from './printer.js'

/** Autoscalers in the shape of `autoscaling/v2`. */
export const horizontalPodAutoscalerPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Reference', 'string', 'What is scaled.'),
    column('Targets', 'string', 'What is measured, and what it should be.'),
    column('MinPods', 'string', 'The least replicas.'),
    column('MaxPods', 'string', 'The most replicas.'),
    column('Replicas', 'string', 'The replicas that there are.'),
    ageColumn,
  ],
  cells: (object, nowMs) => {
    const target = at(object, 'spec', 'scaleTargetRef')
    return [
      object.metadata.name,
      `${textAt(target, 'kind')}/${textAt(target, 'name')}`,
      metricsText(listAt(object, 'spec', 'metrics'), listAt(object, 'status', 'currentMetrics')),
      String(at(object, 'spec', 'minReplicas') ?? '<unset>'),
      numberAt(object, 'spec', 'maxReplicas'),
      numberAt(object, 'status', 'currentReplicas'),
      objectAge(object, nowMs),
    ]
  },
}

const mostMetrics = 2

function metricsText(specs: readonly unknown[], statuses: readonly unknown[]): string {
  if (specs.length === 0) return '<none>'
  const texts = specs.map((spec, index) => metricText(spec, statuses[index]))
  const shown = texts.slice(0, mostMetrics).join(', ')
  return texts.length > mostMetrics ? `${shown} + ${texts.length - mostMetrics} more...` : shown
}

function metricText(spec: unknown, status: unknown): string {
  switch (textAt(spec, 'type')) {
    case 'External':
      return valueText(at(spec, 'external'), at(status, 'external'))
    case 'Object':
      return valueText(at(spec, 'object'), at(status, 'object'))
    case 'Pods':
      return `${quantity(at(status, 'pods', 'current', 'averageValue'))}/${quantity(at(spec, 'pods', 'target', 'averageValue'))}`
    case 'Resource':
      return resourceText(at(spec, 'resource'), at(status, 'resource'))
    case 'ContainerResource':
      return resourceText(at(spec, 'containerResource'), at(status, 'containerResource'))
    default:
      return '<unknown type>'
  }
}

function valueText(source: unknown, status: unknown): string {
  const average = at(source, 'target', 'averageValue')
  if (average !== undefined) return `${quantity(at(status, 'current', 'averageValue'))}/${average} (avg)`
  return `${quantity(at(status, 'current', 'value'))}/${at(source, 'target', 'value') ?? '<nil>'}`
}

function resourceText(source: unknown, status: unknown): string {
  const name = textAt(source, 'name')
  const average = at(source, 'target', 'averageValue')
  if (average !== undefined) return `${name}: ${quantity(at(status, 'current', 'averageValue'))}/${average}`
  return `${name}: ${share(at(status, 'current', 'averageUtilization'), '<unknown>')}/${share(at(source, 'target', 'averageUtilization'), '<auto>')}`
}

function quantity(value: unknown): string {
  return value === undefined ? '<unknown>' : String(value)
}

function share(value: unknown, otherwise: string): string {
  return value === undefined ? otherwise : `${value}%`
}
