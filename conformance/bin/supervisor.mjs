/**
 * Runs programs for a parent and ends them with it: when standard input closes, however the parent died, every program is killed and the folder removed.
 *
 * Argument: JSON `{ folder, programs: [{ name, command, args }] }`. Output goes to `<folder>/<name>.log`. A line on standard input starts a further program of
 * the same shape. Prints a line of JSON: `{ "started": name, "pid": n, "atMs": unix time }`, and `{ "exited": name, "code": n }` when a program ends by itself.
 */
import { spawn } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const { folder, programs } = JSON.parse(process.argv[2])
const running = new Set()
let isStopping = false

function start({ name, command, args }) {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const atMs = Date.now()
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', log, log], env: { HOME: folder, PATH: process.env.PATH } })
  closeSync(log)
  running.add(child)
  const ended = (code) => {
    running.delete(child)
    if (isStopping) finishWhenAllAreGone()
    else process.stdout.write(`${JSON.stringify({ exited: name, code })}\n`)
  }
  if (child.pid !== undefined) process.stdout.write(`${JSON.stringify({ started: name, pid: child.pid, atMs })}\n`)
  child.once('error', () => ended(-1))
  child.once('exit', (code) => ended(code ?? -1))
}

// The data is thrown away, so there is nothing to end gracefully.
function stop() {
  if (isStopping) return
  isStopping = true
  for (const child of running) child.kill('SIGKILL')
  finishWhenAllAreGone()
}

function finishWhenAllAreGone() {
  if (running.size > 0) return
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.exit(0)
}

// An interrupt from the terminal reaches parent and supervisor alike; a parent that is gone can read nothing.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
process.stdout.on('error', stop)

for (const program of programs) start(program)
createInterface({ input: process.stdin })
  .on('line', (line) => start(JSON.parse(line)))
  .on('close', stop)
