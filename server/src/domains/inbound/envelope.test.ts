import assert from 'node:assert/strict'
import { test } from 'node:test'
import { around, nested, read, readOne, readProblem } from './test/callbacks.ts'

function readRaws(callback: string): string[] {
  return read(callback).changes.map(({ raw }) => raw.toString())
}

test('a callback is split into its changes, each with its entry', () => {
  const message = '{"value":{"messages":[{"id":"wamid.1"}]},"field":"messages"}'
  const quality = '{"field":"phone_number_quality_update","value":{"event":"FLAGGED"}}'
  const callback = `{"object":"account","entry":[
    {"id":"10","changes":[${message},${quality}]},
    {"id":"20","time":1700000000,"changes":[${quality}]}]}`

  const { object, changes } = read(callback)

  assert.equal(object, 'account')
  const flagged = { field: 'phone_number_quality_update', value: { event: 'FLAGGED' } }
  assert.deepEqual(
    changes.map(({ raw, fingerprint: _fingerprint, isCut: _isCut, ...change }) => ({ ...change, raw: raw.toString() })),
    [
      {
        field: 'messages',
        value: { messages: [{ id: 'wamid.1' }] },
        entryId: '10',
        entryTime: null,
        raw: `{"object":"account","entry":[{"id":"10","changes":[${message}]}]}`,
      },
      {
        ...flagged,
        entryId: '10',
        entryTime: null,
        raw: `{"object":"account","entry":[{"id":"10","changes":[${quality}]}]}`,
      },
      {
        ...flagged,
        entryId: '20',
        entryTime: 1700000000,
        raw: `{"object":"account","entry":[{"id":"20","time":1700000000,"changes":[${quality}]}]}`,
      },
    ],
  )
})

const RAWS: [title: string, callback: string, raws: string[]][] = [
  [
    'whitespace inside of a slice is kept, and whitespace between slices is dropped',
    ' { "entry" : [ { "id" : 1 , "changes" : [ { "field" : "a" } , {"value":[ ]} ] , "x": { } } ] , "object" : "o" } ',
    [
      '{"object":"o","entry":[{"id" : 1,"x": { },"changes":[{ "field" : "a" }]}]}',
      '{"object":"o","entry":[{"id" : 1,"x": { },"changes":[{"value":[ ]}]}]}',
    ],
  ],
  [
    'escapes, digits and repeated keys inside of a change are unchanged',
    '{"object":"\\u006f","entry":[{"changes":[{"v\\u0061lue":[1.50,1E2,-0,"\\/\\u0000"],"x":1,"x":2}]}]}',
    ['{"object":"\\u006f","entry":[{"changes":[{"v\\u0061lue":[1.50,1E2,-0,"\\/\\u0000"],"x":1,"x":2}]}]}'],
  ],
  [
    'of repeated members of the callback or of an entry only the last is forwarded',
    '{"object":"o","entry":[{"changes":[{"a":1}]}],"\\u0065ntry":[{"id":1,"changes":[{"a":2}],"changes":[{"a":3}],"id":4}],"object":"p"}',
    ['{"object":"p","entry":[{"id":4,"changes":[{"a":3}]}]}'],
  ],
  [
    'unknown members of the callback are left out',
    '{"x":[1],"object":"o","entry":[{"changes":[{}]}],"signature":{"entry":[]}}',
    ['{"object":"o","entry":[{"changes":[{}]}]}'],
  ],
  [
    'the slices of a callback without `object` have none either',
    '{"entry":[{"changes":[{}]}]}',
    ['{"entry":[{"changes":[{}]}]}'],
  ],
  [
    'an `object` that is not a string is forwarded unchanged',
    '{"object":[ 1 ],"entry":[{"changes":[{}]}]}',
    ['{"object":[ 1 ],"entry":[{"changes":[{}]}]}'],
  ],
  [
    'elements that are not an entry or a change are skipped',
    '{"entry":[null,[{"changes":[{}]}],7,"x",{},{"changes":{}},{"changes":[]},{"changes":[1,[{}],{"a":1},null,{"a":2}]},true,{"changes":[{"a":3}]}]}',
    ['{"entry":[{"changes":[{"a":1}]}]}', '{"entry":[{"changes":[{"a":2}]}]}', '{"entry":[{"changes":[{"a":3}]}]}'],
  ],
  ['a callback without entries has no changes', '{"object":"o","entry":[]}', []],
]

for (const [title, callback, raws] of RAWS) {
  test(title, () => {
    assert.deepEqual(readRaws(callback), raws)
  })
}

const PROBLEMS: [callback: string | Buffer, problem: RegExp][] = [
  ['', /not valid JSON/],
  ['{"entry":[', /not valid JSON/],
  ['{"entry":[]} {}', /not valid JSON/],
  ['{"entry":[{"changes":[{"a":01}]}]}', /not valid JSON/],
  ['{"entry":[{"changes":[{"a":"\u0000"}]}]}', /not valid JSON/],
  [Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), /not valid JSON/],
  ['\ufeff{"entry":[]}', /not valid JSON/],
  ['[]', /not an object/],
  ['"entry"', /not an object/],
  ['null', /not an object/],
  ['{}', /no list of entries/],
  ['{"entry":{"0":{"changes":[{}]}}}', /no list of entries/],
  ['{"entry":[{"changes":[{}]}],"entry":null}', /no list of entries/],
]

for (const [callback, problem] of PROBLEMS) {
  test(`${JSON.stringify(callback.toString())} is reported as a problem`, () => {
    assert.match(readProblem(callback) ?? '', problem)
  })
}

const IDS: [written: string, id: string | null][] = [
  ['"102290129340398"', '102290129340398'],
  ['102290129340398', '102290129340398'],
  ['9007199254740993', '9007199254740993'],
  ['18446744073709551615', '18446744073709551615'],
  ['"\\u0031"', '1'],
  ['""', ''],
  ['1.5', null],
  ['1e400', null],
  ['true', null],
  ['null', null],
  ['["1"]', null],
  [nested(100_000), null],
]

for (const [written, id] of IDS) {
  test(`the entry id ${written.slice(0, 30)} is parsed as ${JSON.stringify(id)}`, () => {
    assert.equal(readOne(around('{}', `"id":${written}`)).entryId, id)
  })
}

const TIMES: [written: string, time: number | null][] = [
  ['1700000000', 1700000000],
  ['1.7e9', 1700000000],
  ['0', null],
  ['-1700000000', null],
  ['1700000000.5', null],
  ['1700000000000', null],
  ['1e400', null],
  ['"1700000000"', null],
  ['null', null],
]

for (const [written, time] of TIMES) {
  test(`the entry time ${written} is parsed as ${time}`, () => {
    assert.equal(readOne(around('{}', `"time":${written}`)).entryTime, time)
  })
}

test('an id anywhere in a value keeps all its digits', { rules: ['callback.large-ids-survive'] }, () => {
  const ids = '9007199254740993'
  const change = `{"value":{"id":${ids},"list":[${ids}, -${ids}],"text":"${ids}","small":1.5},"field":"f"}`

  const { value } = readOne(around(change))

  assert.deepEqual(value, { id: ids, list: [ids, `-${ids}`], text: ids, small: 1.5 })
  assert.equal(readOne(around(`{"value":${ids}}`)).value, ids)
  assert.equal(readOne(around(`{"value":\n${ids}}`)).value, ids)
})

test('a change without a text field has an empty field, and without a value an undefined value', () => {
  for (const change of ['{}', '{"field":null}', '{"field":{"a":1}}', '{"field":7}']) {
    const { field, value } = readOne(around(change))
    assert.deepEqual([field, value], ['', undefined])
  }
})
