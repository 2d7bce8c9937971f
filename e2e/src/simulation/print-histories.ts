import { type HistoryOptions, type HistoryOutcome, runWidgetHistory } from './widget-history.js'

/**
 * `node print-histories.js FIRST COUNT [STEP] [OPTIONS]`: runs histories of the widget with COUNT seeds from FIRST on, each STEP further (default 1), and prints one
 * line of JSON for each: a {@link PrintedOutcome}. OPTIONS are those of `runWidgetHistory`, as JSON. A rejection that nobody handles ends it with a stack.
 */
const [first, count, step = '1', options = '{}'] = process.argv.slice(2)
if (!isWhole(first) || !isWhole(count) || !isWhole(step)) {
  console.error('Cannot run histories: expected FIRST COUNT [STEP] [OPTIONS], whole numbers and JSON')
  process.exit(2)
}
for (let index = 0; index < Number(count); index++) {
  const { trace: _, ...outcome } = await runWidgetHistory(Number(first) + index * Number(step), JSON.parse(options) as HistoryOptions)
  console.log(JSON.stringify(outcome satisfies PrintedOutcome))
}

/** What is printed of a history. */
export type PrintedOutcome = Omit<HistoryOutcome, 'trace'>

function isWhole(text: string | undefined): boolean {
  return text !== undefined && /^\d+$/.test(text)
}
