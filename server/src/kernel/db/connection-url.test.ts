import assert from 'node:assert/strict'
import { test } from 'node:test'
import { socketOptions, socketUrl } from './connection-url.ts'

test('whatever the socket path and the password contain, the url gives them back', () => {
  const options = { host: '/srv/my data/%2F@:?#/ü', port: 6543, user: 'h@b', password: 'p:/?#[]@%', database: 'a/b c' }

  assert.deepEqual(socketOptions(socketUrl(options)), options)
})

test('a socket url without a port means the usual one', () => {
  assert.equal(socketOptions('postgres://hub@%2Frun%2Fpostgresql/hub')?.port, 5432)
})

test('a url that names a machine is left to the driver', () => {
  assert.equal(socketOptions('postgres://hub:secret@db.example.com:5432/hub'), undefined)
  assert.equal(socketOptions('postgres:///hub'), undefined)
})
