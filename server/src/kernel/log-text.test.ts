import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from './logger.ts'

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
