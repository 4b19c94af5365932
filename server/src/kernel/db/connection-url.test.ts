import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSocketUrl, toSocketUrl } from './connection-url.ts'

test('a socket URL keeps every character of the path and the password', () => {
  const options = { host: '/srv/my data/%2F@:?#/ü', port: 6543, user: 'h@b', password: 'p:/?#[]@%', database: 'a/b c' }

  assert.deepEqual(parseSocketUrl(toSocketUrl(options)), options)
})

test('a socket URL without a port has the default port', () => {
  assert.equal(parseSocketUrl('postgres://hub@%2Frun%2Fpostgresql/hub')?.port, 5432)
})

test('a URL with a host name is not a socket URL', () => {
  assert.equal(parseSocketUrl('postgres://hub:secret@db.example.com:5432/hub'), undefined)
  assert.equal(parseSocketUrl('postgres:///hub'), undefined)
})
