import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTarget, parseDatabaseUrl, toSocketUrl } from './connection-url.ts'

test('a socket URL keeps every character of the path and the password', () => {
  const options = { host: '/srv/my data/%2F@:?#/ü', port: 6543, user: 'h@b', password: 'p:/?#[]@%', database: 'a/b c' }

  const { servers, user, password, database } = parseDatabaseUrl(toSocketUrl(options))

  assert.deepEqual({ ...servers[0], user, password, database }, options)
})

const SERVERS: [url: string, ...servers: string[]][] = [
  ['postgres://hub@%2Frun%2Fpostgresql/hub', '/run/postgresql:5432'],
  ['postgresql://hub:secret@db.example.com/hub', 'db.example.com:5432'],
  ['postgres://hub:p@ss@db.example.com:6543/hub', 'db.example.com:6543'],
  ['postgres://[::1]:6543/hub', '::1:6543'],
  ['postgres:///hub', 'localhost:5432'],
  ['postgres://hub@a:1,b,10.0.0.3:3/hub', 'a:1', 'b:5432', '10.0.0.3:3'],
]

for (const [url, ...expected] of SERVERS) {
  test(`the servers of ${url} are ${expected.join(' and ')}`, () => {
    assert.deepEqual(
      parseDatabaseUrl(url).servers.map(({ host, port }) => `${host}:${port}`),
      expected,
    )
  })
}

test('several servers are asked for one that takes writes, a single one only if the URL says so', {
  rules: ['database.first-writable-host-is-used'],
}, () => {
  assert.equal(parseDatabaseUrl('postgres://a/hub').isReadWrite, false)
  assert.equal(parseDatabaseUrl('postgres://a/hub?target_session_attrs=any').isReadWrite, false)
  assert.equal(parseDatabaseUrl('postgres://a/hub?target_session_attrs=read-write').isReadWrite, true)
  assert.equal(parseDatabaseUrl('postgres://a/hub?target_session_attrs=primary').isReadWrite, true)
  assert.equal(parseDatabaseUrl('postgres://a,b/hub').isReadWrite, true)
})

const MODES = [
  ['disable', undefined],
  ['prefer', { isRequired: false, rejectUnauthorized: false }],
  ['require', { isRequired: true, rejectUnauthorized: false }],
  ['verify-full', { isRequired: true, rejectUnauthorized: true }],
] as const

for (const [mode, tls] of MODES) {
  test(`sslmode=${mode} is read as libpq reads it`, () => {
    assert.deepEqual(parseDatabaseUrl(`postgres://a/hub?sslmode=${mode}`).tls, tls)
  })
}

for (const mode of ['allow', 'prefer', 'require', 'verify-ca', 'verify-full']) {
  test(`sslrootcert=system checks the certificate with sslmode=${mode}`, () => {
    const { tls } = parseDatabaseUrl(`postgres://a/hub?sslmode=${mode}&sslrootcert=system`)

    assert.deepEqual([tls?.rejectUnauthorized, tls?.ca], [true, undefined])
  })
}

const REFUSED: [url: string, reason: RegExp][] = [
  ['http://a/hub', /must be a URL of the form/],
  ['postgres://a/hub/other', /must be a URL of the form/],
  ['postgres://a:70000/hub', /has a server that is not of the form host:port/],
  ['postgres://a,,b/hub', /has a server that is not of the form host:port/],
  ['postgres://u:pla/nted@a/hub', /with \/ in a password as %2F/],
  ['postgres://u:50%@a/hub', /write it as %25/],
  ['postgres://a/hub?sslmode=on', /sslmode=on, which is none of disable, allow/],
  ['postgres://a/hub?sslmode=verify-full&sslrootcert=/nowhere', /cannot be read \(ENOENT\)/],
  ['postgres://a,b/hub?target_session_attrs=standby', /needs a server that takes writes/],
  ['postgres://a/hub?pool_size=4', /unknown parameter "pool_size"/],
  ['postgres://a/hub?ssl=true', /unknown parameter "ssl"; known are sslmode/],
]

for (const [url, reason] of REFUSED) {
  test(`${url} is refused with the reason`, { rules: ['database.unknown-parameter-stops-the-start'] }, () => {
    assert.throws(() => parseDatabaseUrl(url), reason)
  })
}

test('the description of a target has its servers and its database, and no secret', () => {
  const target = parseDatabaseUrl('postgres://hub:secret@a,b:6543/hub')

  assert.equal(describeTarget(target), 'a:5432,b:6543/hub')
})
