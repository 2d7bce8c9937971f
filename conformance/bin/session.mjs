/**
 * Runs one program for a parent and ends everything that it started, however they end: the program itself, its time, or the parent. The program leads a session of
 * its own, so that also children that left its process group are found, by `/proc`; where there is no `/proc` only the group is ended.
 *
 * Argument: JSON `{ command, args, cwd, env, log, scratch, timeoutMs }`. Output goes to the file `log`; the folder `scratch` is removed if the parent is gone. Prints one line of JSON `{ "code": n, "timedOut": boolean }` at the end.
 */
import { spawn } from 'node:child_process'
import { openSync, readdirSync, readFileSync, rmSync } from 'node:fs'

const { command, args, cwd, env, log, scratch, timeoutMs } = JSON.parse(process.argv[2])
const output = openSync(log, 'w')
const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', output, output] })
let timedOut = false
let isAbandoned = false

function processesOfSession() {
  let names = []
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return names.filter(isInSession).map(Number)
}

function isInSession(pid) {
  try {
    // After the name, which may hold anything: state, parent, group, session.
    const [state, , , session] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    return Number(session) === child.pid && state !== 'Z'
  } catch {
    // It has ended in between.
    return false
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** Again and again, as what is killed may just have started something; but not for ever on what cannot be killed. */
function endSession() {
  kill(-child.pid)
  for (let round = 0; round < 1000; round += 1) {
    const found = processesOfSession()
    if (found.length === 0) return
    found.forEach(kill)
  }
}

const timer = setTimeout(() => {
  timedOut = true
  endSession()
}, timeoutMs)

child.once('error', (error) => {
  process.stdout.write(`${JSON.stringify({ code: -1, timedOut, error: error.message })}\n`)
  process.exit(0)
})
child.once('exit', (code) => {
  clearTimeout(timer)
  endSession()
  if (isAbandoned) rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  process.stdout.write(`${JSON.stringify({ code: code ?? -1, timedOut })}\n`, () => process.exit(0))
})

function abandon() {
  isAbandoned = true
  endSession()
}

// An interrupt from the terminal reaches parent and this process alike; a parent that is gone can read nothing.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, abandon)
process.stdout.on('error', abandon)
process.stdin.on('close', abandon).resume()
