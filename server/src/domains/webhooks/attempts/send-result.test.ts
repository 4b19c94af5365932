import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toConnectionErrorCode, toStatusErrorCode } from './send-result.ts'

test('any status from 200 to 299 is a success, and any other is the failure HTTP_<status>', {
  rules: ['delivery.any-2xx-succeeds'],
}, () => {
  assert.deepEqual([200, 204, 299].map(toStatusErrorCode), [null, null, null])
  assert.deepEqual([300, 304, 410, 500, 999].map(toStatusErrorCode), [
    'HTTP_300',
    'HTTP_304',
    'HTTP_410',
    'HTTP_500',
    'HTTP_999',
  ])
})

test('an error of this process before the connection is not a failure of the receiver', () => {
  const codes = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', undefined]

  assert.deepEqual(
    codes.map((code) => toConnectionErrorCode(createError(code), 'tcp')),
    codes.map(() => undefined),
  )
})

test('an unreachable address is CONNECTION_FAILED', () => {
  const codes = ['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ECONNRESET']

  assert.deepEqual(
    codes.map((code) => toConnectionErrorCode(createError(code), 'tcp')),
    codes.map(() => 'CONNECTION_FAILED'),
  )
})

test('any error during the TLS handshake is TLS_FAILED', () => {
  const codes = [
    'ECONNRESET',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    undefined,
  ]

  assert.deepEqual(
    codes.map((code) => toConnectionErrorCode(createError(code), 'tls')),
    codes.map(() => 'TLS_FAILED'),
  )
})

test('on an open connection any error is a failure of the receiver', () => {
  assert.equal(toConnectionErrorCode(createError('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'open'), 'TLS_FAILED')
  for (const code of ['ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_OVERFLOW', 'HPE_INVALID_CONSTANT', undefined]) {
    assert.equal(toConnectionErrorCode(createError(code), 'open'), 'CONNECTION_FAILED')
  }
})

function createError(code: string | undefined): Error {
  return code === undefined ? new TypeError('A bug') : Object.assign(new Error('No'), { code })
}
