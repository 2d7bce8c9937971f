import { expect, test } from 'vitest'
import { compareSemanticVersions, parseSemanticVersion } from './semantic-version.js'

// The order of semver.org, section 11.
const ascending = [
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '2.0.0',
  '2.1.0',
  '2.1.1',
]

test('compareSemanticVersions orders versions as semver.org does', () => {
  const versions = ascending.map(parseSemanticVersion)
  for (const [index, version] of versions.entries()) {
    for (const [other, right] of versions.entries())
      expect(Math.sign(compareSemanticVersions(version, right))).toBe(Math.sign(index - other))
  }
})

test('compareSemanticVersions does not look at builds, and takes what is no version for the oldest', () => {
  expect(compareSemanticVersions(parseSemanticVersion('1.0.0+a'), parseSemanticVersion('1.0.0+b'))).toBe(0)
  expect(compareSemanticVersions(parseSemanticVersion('0.0.0'), undefined)).toBe(0)
  expect(compareSemanticVersions(undefined, parseSemanticVersion('0.0.1'))).toBeLessThan(0)
})

test.each(['', '1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-01', '1.2.3+', '1.2.3.4'])('parseSemanticVersion refuses %j', (text) => {
  expect(parseSemanticVersion(text)).toBeUndefined()
})
