import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseForm } from './form.ts'
import { boolean, list, metadata, natural, object, optional, text } from './params.ts'

const parse = (form: string) => parseForm(new URLSearchParams(form))

test('brackets form objects and lists in any order', () => {
  assert.deepEqual(parse('name=Ana&metadata[a]=1&metadata[b]='), { name: 'Ana', metadata: { a: '1', b: '' } })
  assert.deepEqual(parse('expand[]=a&expand[]=b.c'), { expand: ['a', 'b.c'] })
  assert.deepEqual(parse('items[1][price]=p2&items[0][price]=p1&items[0][quantity]=3'), {
    items: [{ price: 'p1', quantity: '3' }, { price: 'p2' }],
  })
  assert.deepEqual(parse('a%5Bb%5D=%C3%A9'), { a: { b: 'é' } })
  assert.deepEqual(Object.keys(parse('__proto__[x]=1')), ['__proto__'])
})

test('an invalid parameter is refused with its path and its code', () => {
  const read = object({
    name: text,
    count: optional(natural),
    isOpen: optional(boolean),
    metadata: optional(metadata),
    items: optional(list(object({ price: text }))),
  })
  const refusals: [form: string, message: RegExp, param: string, code: string | undefined][] = [
    ['', /^Missing required param: name\.$/, 'name', 'parameter_missing'],
    ['name=', /^You passed an empty string for 'name'/, 'name', 'parameter_invalid_empty'],
    ['name=x&color=red', /^Received unknown parameter: color$/, 'color', 'parameter_unknown'],
    ['name=x&count=1.5', /^Invalid integer: 1\.5$/, 'count', 'parameter_invalid_integer'],
    ['name=x&count=-1', /greater than or equal to 0/, 'count', 'parameter_invalid_integer'],
    ['name=x&isOpen=yes', /^Invalid boolean: yes$/, 'isOpen', undefined],
    ['name=x&items[0][price]=p&items[1][cost]=1', /items\[1\]\[cost\]/, 'items[1][cost]', 'parameter_unknown'],
    ['name=x&items=none', /^Invalid array$/, 'items', undefined],
    [`name=x&metadata[a]=${'b'.repeat(501)}`, /up to 500 characters/, 'metadata', undefined],
    [`name=x&metadata[${'a'.repeat(41)}]=b`, /up to 40 characters/, 'metadata', undefined],
  ]

  assert.deepEqual(read(parse('name=x&count=3&isOpen=true&metadata[a]=&metadata[b]=1&items[0][price]=p'), ''), {
    name: 'x',
    count: 3,
    isOpen: true,
    metadata: { b: '1' },
    items: [{ price: 'p' }],
  })
  for (const [form, message, param, code] of refusals) {
    assert.throws(
      () => read(parse(form), ''),
      (err: { message: string; fields: { param: string; code: string | undefined } }) => {
        assert.match(err.message, message)
        assert.deepEqual([err.fields.param, err.fields.code], [param, code])
        return true
      },
    )
  }
})
