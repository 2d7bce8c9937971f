/**
 * Runs scenarios against a server, over HTTPS with a client of our own: nothing between a step and the wire adds, repairs or hides anything.
 *
 * {@link runScenario} makes a namespace, fills in references and returns what was answered, step by step. It judges nothing: a step that fails is part of the
 * transcript. What counts of a transcript is the room `compare`'s to say.
 */
export { References, valueAt } from './references.js'
export { runScenario } from './run-scenario.js'
export type { Exchange, Target, Transcript } from './transcript.js'
