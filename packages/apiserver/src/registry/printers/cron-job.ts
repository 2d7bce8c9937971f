import { ageOf } from './human-duration.js'
import {
  ageColumn,
  at,
  column,
  containerCells,
  listAt,
  nameColumn,
  objectAge,
  selectorText,
  type TablePrinter,
  textAt,
  wideColumn,
} from './printer.js'

export const cronJobPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column('Schedule', 'string', 'When jobs are made, as cron has it.'),
    column('Timezone', 'string', 'The time zone of the schedule.'),
    column('Suspend', 'boolean', 'Whether no jobs are made.'),
    column('Active', 'integer', 'Jobs that are running.'),
    column('Last Schedule', 'string', 'How long ago a job was made last.'),
    ageColumn,
    wideColumn('Containers', 'string', 'The names of the containers.'),
    wideColumn('Images', 'string', 'The images of the containers.'),
    wideColumn('Selector', 'string', 'Which pods belong to the jobs.'),
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
      ...containerCells(at(cronJob, 'spec', 'jobTemplate')),
      selectorText(at(cronJob, 'spec', 'jobTemplate', 'spec', 'selector'), '<error>') || '<none>',
    ]
  },
}
