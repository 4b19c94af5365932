import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, envReader } from './env.ts'

const PORTS = { min: 0, max: 65_535 }

function problemsOf(read: ReturnType<typeof envReader>): string[] {
  try {
    read.finish()
    return []
  } catch (err) {
    assert.ok(err instanceof ConfigError)
    return err.problems
  }
}

test('a variable that is absent, empty or blank has its default', () => {
  for (const value of [undefined, '', '  ']) {
    const read = envReader({ V: value })

    const values = [
      read.text('V'),
      read.integer('V', 7, PORTS),
      read.oneOf('V', ['a', 'b'], 'b'),
      read.url('V', ['http:']),
      read.list('V'),
    ]

    assert.deepEqual(values, [undefined, 7, 'b', undefined, []])
    assert.deepEqual(problemsOf(read), [])
  }
})

test('blanks around a value do not count', () => {
  const read = envReader({ TEXT: ' a b ', NUMBER: ' 8 ', ONE: ' b ', URL: ' http://h ', LIST: ' a , ,b,' })

  assert.equal(read.text('TEXT'), 'a b')
  assert.equal(read.integer('NUMBER', 1, PORTS), 8)
  assert.equal(read.oneOf('ONE', ['a', 'b'], 'a'), 'b')
  assert.equal(read.url('URL', ['http:'])?.href, 'http://h/')
  assert.deepEqual(read.list('LIST'), ['a', 'b'])
  assert.deepEqual(problemsOf(read), [])
})

test('an integer is written in digits and lies within its range', () => {
  for (const value of ['-1', '65536', '1.5', '1e3', '0x10', '8080x', 'NaN', '9'.repeat(400), '٣']) {
    const read = envReader({ PORT: value })

    const port = read.integer('PORT', 8080, PORTS)

    assert.equal(port, 8080)
    assert.deepEqual(problemsOf(read), ['PORT must be a whole number from 0 to 65535'], value)
  }
})

test('a choice takes only what is on the list, letter by letter', () => {
  for (const value of ['c', 'A', 'a,b', 'constructor']) {
    const read = envReader({ ONE: value })

    read.oneOf('ONE', ['a', 'b'], 'a')

    assert.deepEqual(problemsOf(read), ['ONE must be one of a, b'], value)
  }
})

test('a URL has one of the protocols asked for, and a wrong one is not repeated', () => {
  for (const value of ['localhost', 'ftp://user:planted@host', '//host', 'http://']) {
    const read = envReader({ URL: value })

    const url = read.url('URL', ['http:', 'https:'])

    assert.equal(url, undefined)
    assert.deepEqual(problemsOf(read), ['URL must be a URL beginning with http:// or https://'], value)
  }
})

test('only unknown variables with one of the prefixes are refused', () => {
  const read = envReader({ APP_KNOWN: 'x', APP_KNWON: 'x', APP_: '', OTHER: 'x', MY_APP_X: 'x' })
  read.text('APP_KNOWN')

  read.refuseUnknown(['APP_'])

  assert.deepEqual(problemsOf(read), ['APP_KNWON is not a variable of Hubline', 'APP_ is not a variable of Hubline'])
})

test('every problem is in the one message', () => {
  const read = envReader({ A: 'x', B: 'y' })
  read.integer('A', 1, PORTS)
  read.oneOf('B', ['z'], 'z')
  read.problem('C is required')

  assert.throws(
    () => read.finish(),
    new ConfigError(['A must be a whole number from 0 to 65535', 'B must be one of z', 'C is required']),
  )
  assert.match(new ConfigError(['A', 'B']).message, /^Cannot start: A; B\.$/)
})
