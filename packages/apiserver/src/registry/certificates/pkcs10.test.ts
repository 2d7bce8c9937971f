import { describe, expect, test } from 'vitest'
import { decodePem } from './pem.js'
import { Pkcs10Error, parsePemRequest, parseRequest } from './pkcs10.js'

// Made by OpenSSL 3: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/O=devs/CN=jane"`.
const pem = `-----BEGIN CERTIFICATE REQUEST-----
MIHZMIGAAgEAMB4xDTALBgNVBAoMBGRldnMxDTALBgNVBAMMBGphbmUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAARwypG2HmnVrYR2IMXRYbbGLDzCmWKqMH7Ut5HB
9ushkKHtlay5a/GQURjpJtJEKrbbB4BU+5vRavZndrceaoFsoAAwCgYIKoZIzj0E
AwIDSAAwRQIhALWAJaElwTxTXSmcLxx8L5YEnE42DccEfMTCcMXY7vpMAiBUzlXF
XWLnQB2XmgvyS77wfXw/ZDcN3HDIqPSO3qAdDQ==
-----END CERTIFICATE REQUEST-----
`

describe('parsePemRequest', () => {
  test('reads a request that OpenSSL made', () => {
    const request = parsePemRequest(pem)
    expect(request.organizations).toEqual(['devs'])
    expect(request.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
    expect(request.hasRightSignature()).toBe(true)
  })

  test('refuses what is no request', () => {
    for (const text of ['', 'abc', pem.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE')]) {
      expect(() => parsePemRequest(text)).toThrow('PEM block type must be CERTIFICATE REQUEST')
    }
  })
})

describe('parseRequest', () => {
  const der = decodePem(pem)[0]?.bytes ?? Buffer.alloc(0)
  const outcome = (bytes: Uint8Array): boolean => {
    try {
      return parseRequest(bytes).hasRightSignature()
    } catch (error) {
      if (error instanceof Pkcs10Error) return false
      throw error
    }
  }

  test('takes no byte away without being noticed', () => {
    for (let length = 0; length < der.length; length++) expect(outcome(der.subarray(0, length)), `${length} bytes`).toBe(false)
  })

  test('takes no bit of what is signed changed', () => {
    const [signedFrom, signedTo] = [3, 3 + 131]
    for (let at = signedFrom; at < signedTo; at++) {
      const changed = Buffer.from(der)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(outcome(changed), `byte ${at}`).toBe(false)
    }
  })
})
