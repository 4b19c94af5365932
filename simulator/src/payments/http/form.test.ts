import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from './form.ts'
import { boolean, emptyable, integer, list, metadata, object, optional, text } from './params.ts'

const read = (form: string) => formOf(new URLSearchParams(form))

test('brackets make objects and lists, whatever order they come in', () => {
  assert.deepEqual(read('name=Ana&metadata[a]=1&metadata[b]='), { name: 'Ana', metadata: { a: '1', b: '' } })
  assert.deepEqual(read('expand[]=a&expand[]=b.c'), { expand: ['a', 'b.c'] })
  assert.deepEqual(read('items[1][price]=p2&items[0][price]=p1&items[0][quantity]=3'), {
    items: [{ price: 'p1', quantity: '3' }, { price: 'p2' }],
  })
  assert.deepEqual(read('created[gte]=5'), { created: { gte: '5' } })
  assert.deepEqual(read('a%5Bb%5D=%C3%A9'), { a: { b: 'é' } })
  assert.deepEqual(Object.keys(read('__proto__[x]=1')), ['__proto__'])
})

test('a parameter is read as what it is, and refused with its own path', () => {
  const shape = object({
    name: text,
    count: optional(integer),
    isOpen: optional(boolean),
    note: optional(emptyable(text)),
    metadata: optional(metadata),
    items: optional(list(object({ price: text }))),
  })
  const refusals: [form: string, message: RegExp, param: string, code: string | undefined][] = [
    ['', /^Missing required param: name\.$/, 'name', 'parameter_missing'],
    ['name=', /^You passed an empty string for 'name'/, 'name', 'parameter_invalid_empty'],
    ['name=x&colour=red', /^Received unknown parameter: colour$/, 'colour', 'parameter_unknown'],
    ['name=x&count=1.5', /^Invalid integer: 1\.5$/, 'count', 'parameter_invalid_integer'],
    ['name=x&isOpen=yes', /^Invalid boolean: yes$/, 'isOpen', undefined],
    ['name=x&items[0][price]=p&items[1][cost]=1', /items\[1\]\[cost\]/, 'items[1][cost]', 'parameter_unknown'],
    ['name=x&items=none', /^Invalid array$/, 'items', undefined],
    [`name=x&metadata[a]=${'b'.repeat(501)}`, /up to 500 characters/, 'metadata', undefined],
    [`name=x&metadata[${'a'.repeat(41)}]=b`, /up to 40 characters/, 'metadata', undefined],
  ]

  assert.deepEqual(shape(read('name=x&count=-3&isOpen=true&note=&metadata[a]=&items[0][price]=p'), ''), {
    name: 'x',
    count: -3,
    isOpen: true,
    note: null,
    metadata: { a: null },
    items: [{ price: 'p' }],
  })
  for (const [form, message, param, code] of refusals) {
    assert.throws(
      () => shape(read(form), ''),
      (err: { message: string; members: { param: string; code: string | undefined } }) => {
        assert.match(err.message, message)
        assert.deepEqual([err.members.param, err.members.code], [param, code])
        return true
      },
    )
  }
})
