/** Prints what importing the package named by the first argument costs: milliseconds, and megabytes of resident memory. */
import { endWithParent } from './end-with-parent.js'

endWithParent()
globalThis.gc?.()
const rssBefore = process.memoryUsage.rss()
const before = performance.now()
await import(process.argv[2] ?? 'steersman')
const milliseconds = performance.now() - before
globalThis.gc?.()
console.log(JSON.stringify({ milliseconds, megabytes: (process.memoryUsage.rss() - rssBefore) / 1024 / 1024 }))
