import { ageOf } from './human-duration.js'
import { podCells, podColumns } from './pod-owner.js'
import { ageColumn, at, column, listAt, nameColumn, objectAge, type TablePrinter, textAt } from './printer.js'

export const cronJobPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Schedule', 'string', 'When jobs are made, as cron has it.'),
    column('Timezone', 'string', 'The time zone of the schedule.'),
    column('Suspend', 'boolean', 'Whether no jobs are made.'),
    column('Active', 'integer', 'Jobs that are running.'),
    column('Last Schedule', 'string', 'How long ago a job was made last.'),
    ageColumn,
    ...podColumns('the jobs'),
  ],
  cells: (cronJob, nowMs) => {
    const suspend = at(cronJob, 'spec', 'suspend')
    const last = at(cronJob, 'status', 'lastScheduleTime')
    return [
      cronJob.metadata.name,
      textAt(cronJob, 'spec', 'schedule'),
      at(cronJob, 'spec', 'timeZone') ?? '<none>',
      suspend === undefined ? '<unset>' : suspend === true ? 'True' : 'False',
      listAt(cronJob, 'status', 'active').length,
      last === undefined ? '<none>' : ageOf(last, nowMs),
      objectAge(cronJob, nowMs),
      ...podCells(at(cronJob, 'spec', 'jobTemplate')),
    ]
  },
}
