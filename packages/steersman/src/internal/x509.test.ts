import { randomBytes, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CertificateAuthority } from './index.js'
import { parseIpAddress } from './ip-address.js'

const notBefore = Date.UTC(2020, 0, 1)
const validity = { notBefore, notAfter: Date.UTC(2060, 11, 31, 23, 59, 59) }
const authority = new CertificateAuthority({ commonName: 'test-ca', ...validity, randomBytes })
const server = authority.issueServerCertificate({
  commonName: 'server',
  dnsNames: ['localhost', '*.example.com'],
  ipAddresses: ['127.0.0.1', '::1'],
  ...validity,
})
const client = authority.issueClientCertificate({ commonName: 'jane', organizations: ['system:masters', 'dev'], ...validity })

describe('CertificateAuthority', () => {
  it('signs itself', () => {
    const certificate = new X509Certificate(authority.certificate)
    expect(certificate.ca).toBe(true)
    expect(certificate.subject).toBe('CN=test-ca')
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkIssued(certificate)).toBe(true)
  })

  it('issues server certificates for names and addresses', () => {
    const certificate = new X509Certificate(server.certificate)
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true)
    expect(certificate.checkIssued(new X509Certificate(authority.certificate))).toBe(true)
    expect(certificate.ca).toBe(false)
    expect(certificate.subjectAltName).toBe('DNS:localhost, DNS:*.example.com, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
    expect(certificate.checkHost('www.example.com')).toBe('*.example.com')
    expect(certificate.checkIP('::1')).toBe('::1')
    expect(certificate.checkIP('127.0.0.2')).toBeUndefined()
    // Node calls the extended key usages so.
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  })

  it('issues client certificates with a user and groups', () => {
    const certificate = new X509Certificate(client.certificate)
    expect(certificate.subject).toBe('O=system:masters\nO=dev\nCN=jane')
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  })

  it('writes times before and after 2050 and serial numbers that differ', () => {
    const certificate = new X509Certificate(server.certificate)
    expect(certificate.validFrom).toBe('Jan  1 00:00:00 2020 GMT')
    expect(certificate.validTo).toBe('Dec 31 23:59:59 2060 GMT')
    expect(certificate.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/)
    expect(certificate.serialNumber).not.toBe(new X509Certificate(client.certificate).serialNumber)
  })

  it('refuses what it cannot certify', () => {
    const issue = (names: { dnsNames?: string[]; ipAddresses?: string[] }) =>
      authority.issueServerCertificate({ commonName: 'x', ...validity, ...names })
    expect(() => issue({ dnsNames: ['bücher.example'] })).toThrow('expected an ASCII DNS name')
    expect(() => issue({ ipAddresses: ['localhost'] })).toThrow('Cannot issue a certificate for "localhost": expected an IP address')
    expect(() => authority.issueServerCertificate({ commonName: 'x', notBefore: 1, notAfter: 0 })).toThrow(RangeError)
  })

  it('lets a server and a client authenticate each other over TLS', async () => {
    const other = new CertificateAuthority({ commonName: 'other-ca', ...validity, randomBytes })
    const stranger = other.issueClientCertificate({ commonName: 'eve', ...validity })
    const subjects: unknown[] = []
    const tlsServer = createServer(
      { cert: server.certificate, key: server.privateKey, ca: authority.certificate, requestCert: true, rejectUnauthorized: false },
      (socket: TLSSocket) => {
        subjects.push([socket.authorized, socket.getPeerCertificate().subject?.CN, socket.getPeerCertificate().subject?.O])
        socket.end('hello')
      },
    )
    await new Promise<void>((resolve) => tlsServer.listen(0, '127.0.0.1', resolve))
    const { port } = tlsServer.address() as { port: number }
    const greet = (options: { ca: string; cert?: string; key?: string }) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port, ...options })
        socket.on('data', (data) => resolve(data.toString()))
        socket.on('error', reject)
      })
    try {
      expect(await greet({ ca: authority.certificate, cert: client.certificate, key: client.privateKey })).toBe('hello')
      expect(await greet({ ca: authority.certificate, cert: stranger.certificate, key: stranger.privateKey })).toBe('hello')
      expect(await greet({ ca: authority.certificate })).toBe('hello')
      await expect(greet({ ca: other.certificate })).rejects.toThrow(/unable to verify|self.signed|unable to get local issuer/)
    } finally {
      await new Promise((resolve) => tlsServer.close(resolve))
    }
    expect(subjects).toEqual([
      [true, 'jane', ['system:masters', 'dev']],
      [false, 'eve', undefined],
      [false, undefined, undefined],
    ])
  })
})

describe('parseIpAddress', () => {
  it.each([
    ['10.0.0.1', '0a000001'],
    ['::', '00'.repeat(16)],
    ['fe80::1', `fe80${'00'.repeat(13)}01`],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['::ffff:1.2.3.4', '00000000000000000000ffff01020304'],
    ['1::', `0001${'00'.repeat(14)}`],
  ])('reads %s', (address, hex) => {
    expect(Buffer.from(parseIpAddress(address)!).toString('hex')).toBe(hex)
  })

  it('takes and refuses what Node takes and refuses', () => {
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc
        .array(fc.constantFrom('1', 'ff', ':', '::', '.', '1.2.3.4', '256', '01', 'g', '12345'), { maxLength: 14 })
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (address) => {
        expect(parseIpAddress(address)?.length).toBe({ 0: undefined, 4: 4, 6: 16 }[isIP(address)])
      }),
      {
        numRuns: 2000,
      },
    )
  })
})
