import type { AcceptedDifference } from './compare/index.js'

const reviewFields = 'A refusal shows the metadata of a review, to which the real server has added managedFields by then.'
const expressions = 'Expressions in CEL are not compiled yet: whatever they say is accepted.'

/** What differs from the real server, and why. The report lists them; one that no longer occurs makes the suite fail. */
export const accepted: readonly AcceptedDifference[] = [
  {
    scenario: 'kinds-admissionregistration/expressions-that-do-not-compile',
    answers: [1, 2, 3],
    paths: ['status'],
    reason: expressions,
  },
  { scenario: 'kinds-resource/expressions-that-do-not-compile', answers: [1, 2], paths: ['status'], reason: expressions },
  {
    scenario: 'errors/create-with-yaml-that-is-malformed',
    answers: [1],
    paths: ['body.message'],
    reason: 'What is wrong with malformed YAML is told in the words of another parser.',
  },
  {
    scenario: 'paging/pages-across-namespaces',
    answers: [2],
    paths: ['body.'],
    reason:
      'With a selector for one namespace in a list across all, the real server makes a token for a list inside the namespace and reads it as one of a list across namespaces, so that the second page repeats the first.',
  },
  {
    scenario: 'patch/json-another-kind',
    answers: [2],
    paths: ['body.'],
    reason:
      'A patch that turns the object into one of another kind is refused for that, and not for what else would be wrong with the other kind.',
  },
  {
    scenario: 'patch/of-custom-resources',
    answers: [5, 8],
    paths: ['body.', 'headers.warning'],
    reason:
      'Server-side apply is not there yet, so its media type is not named. A patch of apiVersion is refused as any patch that cannot be decoded; the real server refuses it later, as it reads the patched object in the version that the patch names.',
  },
  {
    scenario: 'discovery/aggregated-older-and-preferred-versions',
    answers: [1],
    paths: ['status'],
    reason:
      'The version v2beta1 of aggregated discovery is served for kubectl 1.27 to 1.30, which ask for no other; the real server dropped it.',
  },
  {
    scenario: 'authorization/may-i',
    answers: [9],
    paths: ['body.message', 'body.details'],
    reason: reviewFields,
  },
  {
    scenario: 'authorization/may-somebody-here',
    answers: [6],
    paths: ['body.message', 'body.details'],
    reason: reviewFields,
  },
  {
    scenario: 'kinds-certificates/a-signing-request-that-is-wrong',
    answers: [4],
    paths: ['body.message', 'body.details'],
    reason: 'Why bytes are no ASN.1 is told in the words of another reader; the real server shows the parameters of a parser of Go.',
  },
]
