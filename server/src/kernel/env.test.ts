import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, createEnvReader } from './env.ts'

const PORTS = { min: 0, max: 65_535 }

function listProblems(read: ReturnType<typeof createEnvReader>): string[] {
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
    const read = createEnvReader({ V: value })

    const values = [
      read.text('V'),
      read.integer('V', 7, PORTS),
      read.oneOf('V', ['a', 'b'], 'b'),
      read.url('V', ['http:']),
      read.list('V'),
    ]

    assert.deepEqual(values, [undefined, 7, 'b', undefined, []])
    assert.deepEqual(listProblems(read), [])
  }
})

test('spaces around a value are ignored', () => {
  const read = createEnvReader({ TEXT: ' a b ', NUMBER: ' 8 ', ONE: ' b ', URL: ' http://h ', LIST: ' a , ,b,' })

  assert.equal(read.text('TEXT'), 'a b')
  assert.equal(read.integer('NUMBER', 1, PORTS), 8)
  assert.equal(read.oneOf('ONE', ['a', 'b'], 'a'), 'b')
  assert.equal(read.url('URL', ['http:'])?.href, 'http://h/')
  assert.deepEqual(read.list('LIST'), ['a', 'b'])
  assert.deepEqual(listProblems(read), [])
})

test('an integer that is not in digits or outside its range is a problem', () => {
  for (const value of ['-1', '65536', '1.5', '1e3', '0x10', '8080x', 'NaN', '9'.repeat(400), '٣']) {
    const read = createEnvReader({ PORT: value })

    const port = read.integer('PORT', 8080, PORTS)

    assert.equal(port, 8080)
    assert.deepEqual(listProblems(read), ['PORT must be a whole number from 0 to 65535'], value)
  }
})

test('a value that is not on the list is a problem', () => {
  for (const value of ['c', 'A', 'a,b', 'constructor']) {
    const read = createEnvReader({ ONE: value })

    read.oneOf('ONE', ['a', 'b'], 'a')

    assert.deepEqual(listProblems(read), ['ONE must be one of a, b'], value)
  }
})

test('a URL with another protocol is a problem that does not repeat the URL', () => {
  for (const value of ['localhost', 'ftp://user:planted@host', '//host', 'http://']) {
    const read = createEnvReader({ URL: value })

    const url = read.url('URL', ['http:', 'https:'])

    assert.equal(url, undefined)
    assert.deepEqual(listProblems(read), ['URL must be a URL beginning with http:// or https://'], value)
  }
})

test('only unknown variables with one of the prefixes are refused', () => {
  const read = createEnvReader({ APP_KNOWN: 'x', APP_KNWON: 'x', APP_: '', OTHER: 'x', MY_APP_X: 'x' })
  read.text('APP_KNOWN')

  read.refuseUnknown(['APP_'])

  assert.deepEqual(listProblems(read), ['APP_KNWON is not a variable of Hubline', 'APP_ is not a variable of Hubline'])
})

test('the error message contains every problem', () => {
  const read = createEnvReader({ A: 'x', B: 'y' })
  read.integer('A', 1, PORTS)
  read.oneOf('B', ['z'], 'z')
  read.problem('C is required')

  assert.throws(
    () => read.finish(),
    new ConfigError(['A must be a whole number from 0 to 65535', 'B must be one of z', 'C is required']),
  )
  assert.match(new ConfigError(['A', 'B']).message, /^Cannot start: A; B\.$/)
})
