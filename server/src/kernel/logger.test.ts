import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { test } from 'node:test'
import { newToken, TOKEN_PREFIX, type TokenKind } from './crypto/tokens.ts'
import { newId } from './ids.ts'
import { createLogger, redactSecrets } from './logger.ts'

const PHONE = '5511987654321'
const UPSTREAM_TOKEN = 'EAAGm0PX4ZCpsBAKZCZBplanted'

const SECRETS: Record<string, { text: string; planted: string }> = {
  ...Object.fromEntries(
    (Object.keys(TOKEN_PREFIX) as TokenKind[]).map((kind) => {
      const token = newToken(kind)
      return [`a token of kind ${kind}`, { text: token, planted: token.slice(7) }]
    }),
  ),
  'a webhook secret': { text: 'whsec_pl/an+ted==', planted: 'pl/an+ted' },
  'a bearer': { text: 'Authorization: Bearer planted.value~x', planted: 'planted' },
  'a bearer in lower case': { text: 'authorization: bearer planted', planted: 'planted' },
  'an OAuth credential': { text: 'OAuth planted', planted: 'planted' },
  'an upstream token': { text: UPSTREAM_TOKEN, planted: 'planted' },
  'an upstream token in a query': { text: '/debug_token?access_token=planted&x=1', planted: 'planted' },
  'an app secret in a query': { text: '?client_secret=planted', planted: 'planted' },
  'a payment key': { text: 'sk_live_planted', planted: 'planted' },
  'a restricted payment key': { text: 'rk_test_planted', planted: 'planted' },
  "a database's password": { text: 'postgres://hub:planted@db:5432/hub', planted: 'planted' },
  "a database's password with an @": { text: 'postgresql://hub:pl@nted@db:5432/hub', planted: 'nted' },
  "a database's password with a slash": { text: 'postgresql://hub:a/planted@db/hub', planted: 'planted' },
  "a database's password without a user": { text: 'postgres://:planted@db/hub', planted: 'planted' },
  "a database's password in a query": { text: 'postgres://db/hub?user=u&password=planted', planted: 'planted' },
  "a mail server's password": { text: 'smtps://hub:pl@nted@mail:465', planted: 'nted' },
  'a phone number': { text: PHONE, planted: PHONE },
  'a phone number with a plus': { text: `+${PHONE}`, planted: PHONE },
  'a phone number in a sentence': { text: `sent to ${PHONE}.`, planted: PHONE },
  'a phone number in a list': { text: `a,${PHONE},b`, planted: PHONE },
  'a phone number in a path': { text: `/contacts/${PHONE}?x`, planted: PHONE },
  'a phone number in a link': { text: `tel:+${PHONE}`, planted: PHONE },
  'a phone number in a query': { text: `?to=%2B${PHONE}`, planted: PHONE },
  'a phone number in a query in lower case': { text: `?to=%2b${PHONE}`, planted: PHONE },
  'a phone number as it is displayed': { text: '+55 11 98765-4321', planted: '98765' },
  'a phone number as Americans write it': { text: '+1 (631) 555-8151', planted: '8151' },
  'the shortest phone number': { text: '12345678', planted: '12345678' },
  'the longest phone number': { text: '123456789012345', planted: '12345678901' },
}

/** Each form in which a text can occur in a finished line. */
const FORMS: Record<string, (text: string) => string> = {
  alone: (text) => text,
  'in a sentence': (text) => `before ${text} after`,
  'in quotes': (text) => `'${text}'`,
  'in a JSON string': (text) => JSON.stringify({ field: text }),
  'at the start of a line of a JSON string': (text) => JSON.stringify({ field: `one\n${text}\r\nthree` }),
  'after a tab in a JSON string': (text) => JSON.stringify({ field: `one\t${text}` }),
  'in JSON inside a JSON string': (text) => JSON.stringify({ field: JSON.stringify({ inner: text }) }),
}

for (const [what, { text, planted }] of Object.entries(SECRETS)) {
  test(`${what} is redacted anywhere in a line`, () => {
    for (const [where, form] of Object.entries(FORMS)) {
      const redacted = redactSecrets(form(text))

      assert.ok(!redacted.includes(planted), `${where}: ${redacted}`)
    }
  })
}

test('a phone number that is a JSON number inside a text is redacted', () => {
  const redacted = redactSecrets(JSON.stringify({ msg: `upstream said {"to":${PHONE}}` }))

  assert.ok(!redacted.includes(PHONE))
})

test('UUIDs, times, ports, versions and plain numbers are not redacted', () => {
  const lines = [
    newId(),
    `id=${newId()}, other=${newId()}`,
    '12345678-1234-7123-8123-123456789012',
    JSON.stringify({ id: '12345678-1234-7123-8123-123456789012' }),
    '2026-03-04T05:06:07.089Z',
    '2026-03-04 05:06:07.089123+00',
    '127.0.0.1:54321',
    'http://[::1]:8080/health',
    'postgres://db:5432/hub',
    'PostgreSQL 18.4',
    JSON.stringify({ ms: 12345678.9, bytes: 1234567890123, pid: 4194304, at: 1_700_000_000_000 }),
    JSON.stringify({ wait: '30000', port: '65535', code: '42P01' }),
    'deadbeef12345678deadbeef',
    'line 1234567:12',
    'hub_pk_',
    'TOKENEAAX',
  ]

  const redacted = lines.map(redactSecrets)

  assert.deepEqual(redacted, lines)
})

test('a redacted line is still one line of JSON', () => {
  const texts = Object.values(SECRETS).map(({ text }) => text)

  const redacted = redactSecrets(JSON.stringify({ texts, nested: JSON.stringify(texts) }))

  assert.equal(JSON.parse(redacted).texts.length, texts.length)
  assert.equal(JSON.parse(JSON.parse(redacted).nested).length, texts.length)
})

test('the prefix of a token and the host of a database are kept', () => {
  const text = `${newToken('api_key')} at postgres://hub:planted@db:5432/hub`

  const redacted = redactSecrets(text)

  assert.equal(redacted, 'hub_pk_[redacted] at postgres://hub:[redacted]@db:5432/hub')
})

test("a logged error's message, stack and causes are redacted, and its other members are left out", () => {
  const lines: string[] = []
  const logger = createLogger('info', { write: (line) => void lines.push(line) })
  const root = Object.assign(new Error(`key ${newToken('api_key')} planted-root`), {
    parameters: ['planted-parameter'],
  })
  const middle = new Error(`calling\n${PHONE}`, { cause: root })
  const err = Object.assign(new Error('failed with Bearer planted', { cause: middle }), {
    code: 'E_TOP',
    detail: PHONE,
  })

  logger.child({ request_id: newId() }).error({ err }, `for ${PHONE}`)

  const [line = ''] = lines
  assert.ok(!line.includes(PHONE))
  assert.ok(!line.includes('Bearer planted'))
  assert.ok(!/hub_pk_[0-9A-Za-z]/.test(line))
  assert.ok(!line.includes('planted-parameter'))
  const logged = JSON.parse(line)
  assert.equal(logged.err.code, 'E_TOP')
  assert.match(logged.err.cause.cause.message, /planted-root/)
  assert.match(logged.err.cause.cause.stack, /logger\.test\.ts/)
  assert.equal(logged.msg, 'for [number]')
})

test('a thrown value that is not an error is logged as text', () => {
  const lines: string[] = []
  const logger = createLogger('info', { write: (line) => void lines.push(line) })

  logger.error({ err: `planted ${PHONE}` })

  assert.equal(JSON.parse(lines[0] ?? '').err.message, 'planted [number]')
})

test('an error that is its own cause is logged', () => {
  const lines: string[] = []
  const logger = createLogger('info', { write: (line) => void lines.push(line) })
  const err = new Error('circular')
  err.cause = err

  logger.error({ err })

  assert.equal(JSON.parse(lines[0] ?? '').err.message, 'circular')
})

/** The lines that a logger for a terminal writes. */
function logAsText(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = []
  write(createLogger('info', { write: (line) => void lines.push(line), format: 'text' }))
  return lines.join('').replaceAll(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/gm, 'TIME')
}

test('a log line for a terminal is time, level, message and fields', () => {
  const text = logAsText((logger) => {
    logger.info({ url: 'http://localhost:8080', migrations: 3, name: 'two words', labels: { a: [1] } }, 'listening')
    logger.error('stopping')
  })

  assert.equal(
    text,
    `TIME INFO  listening url=http://localhost:8080 migrations=3 name="two words" labels={"a":[1]}
TIME ERROR stopping
`,
  )
})

test('a log line for a terminal has the stack of an error and its causes below it', () => {
  const err = new Error('outer', { cause: Object.assign(new TypeError('inner'), { code: 'E_INNER' }) })

  const text = logAsText((logger) => logger.error({ err, id: 7 }, 'failed'))

  assert.match(
    text,
    /^TIME ERROR failed id=7\n {4}Error: outer\n {6}at .*\n[\s\S]*\n {4}caused by TypeError \(E_INNER\): inner\n {6}at /,
  )
})

test('a log line for a terminal redacts secrets', () => {
  const text = logAsText((logger) => logger.info({ err: new Error('Bearer abc.def') }, 'key hub_ak_4Xk9'))

  assert.match(text, /key hub_ak_\[redacted\]/)
  assert.doesNotMatch(text, /4Xk9|abc\.def/)
})

test('a log line for a terminal escapes control characters', () => {
  const hostile = '\u001b[31m\r\nINFO  forged\u009b2J\u202e'

  const text = logAsText((logger) => logger.warn({ agent: hostile, err: new Error(hostile) }, hostile))

  assert.doesNotMatch(text.replaceAll('\n    ', '').trimEnd(), /[\p{Cc}\p{Cf}]/u)
  assert.doesNotMatch(text, /^INFO/m)
})

test('lines that nothing reads do not fill the memory', async () => {
  const script = `
    const { createLogger } = await import(${JSON.stringify(new URL('./logger.ts', import.meta.url).href)})
    const logger = createLogger('info')
    for (let i = 0; i < 1000; i++) logger.info({ text: String(i).padEnd(65536, 'x') })
    gc()
    process.send(process.memoryUsage().heapUsed)`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  try {
    const [heapUsed] = await once(child, 'message')
    assert.ok(heapUsed < 32 * 1024 * 1024, `${heapUsed} bytes`)
  } finally {
    child.kill('SIGKILL')
  }
})

test('an output that takes nothing, as on a full disk, neither ends the process nor keeps it from ending', async () => {
  const script = `
    const { createLogger } = await import(${JSON.stringify(new URL('./logger.ts', import.meta.url).href)})
    const logger = createLogger('info')
    process.on('message', () => process.exit(0))
    setInterval(() => logger.info('a line'), 1)
    setTimeout(() => process.send('running'), 200)`
  const readOnly = await open(import.meta.filename, 'r')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', readOnly.fd, 'inherit', 'ipc'],
  })
  try {
    await once(child, 'message')
    child.send('end')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  } finally {
    child.kill('SIGKILL')
    await readOnly.close()
  }
})
