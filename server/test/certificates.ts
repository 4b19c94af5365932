import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

const DAY_MS = 24 * 60 * 60 * 1000
const ECDSA_WITH_SHA256 = '2a8648ce3d040302'
const COMMON_NAME = '550403'
const BASIC_CONSTRAINTS = '551d13'
const SUBJECT_ALT_NAME = '551d11'

/** A certificate and its key, as a TLS server takes them. */
export type Identity = { cert: string; key: string }
export type Authority = { cert: string; name: string; privateKey: KeyObject }

/** A certificate authority for one test file, created here because openssl may not be installed. */
export function createAuthority(name = 'Test authority'): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const derTrue = der(0x01, Buffer.from([0xff]))
  const isAuthority = sequence(oid(BASIC_CONSTRAINTS), derTrue, octets(sequence(derTrue)))
  return {
    cert: certify({ issuer: name, subject: name, publicKey, extension: isAuthority }, privateKey),
    name,
    privateKey,
  }
}

/** A certificate for names and IPv4 addresses. It is valid for one more day, or expired `expiredDays` ago. */
export function issue(authority: Authority, hosts: string[], { expiredDays = -1 } = {}): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = hosts.map((host) =>
    isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  )
  const extension = sequence(oid(SUBJECT_ALT_NAME), octets(sequence(...names)))
  const subject = hosts[0] ?? ''
  const cert = certify({ issuer: authority.name, subject, publicKey, extension, expiredDays }, authority.privateKey)
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

type CertificateContent = {
  issuer: string
  subject: string
  publicKey: KeyObject
  extension: Buffer
  expiredDays?: number
}

function certify(
  { issuer, subject, publicKey, extension, expiredDays = -1 }: CertificateContent,
  issuerKey: KeyObject,
): string {
  const until = Date.now() - expiredDays * DAY_MS
  const algorithm = sequence(oid(ECDSA_WITH_SHA256))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    toName(issuer),
    sequence(toTime(until - 2 * DAY_MS), toTime(until)),
    toName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, issuerKey)]))
  const lines =
    sequence(content, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function toName(text: string): Buffer {
  return sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(text)))))
}

/** YYMMDDHHMMSSZ */
function toTime(ms: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/\D/g, '')}Z`))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function octets(content: Buffer): Buffer {
  return der(0x04, content)
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
