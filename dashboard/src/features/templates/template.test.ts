import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Template } from '@hubline/sdk'
import { groupByName, readTemplate } from './template.ts'

function read(more: object) {
  return readTemplate({ id: '1', name: 'order_ready', status: 'APPROVED', ...more } as Template)
}

test('members that the upstream leaves out are empty, and its words for nothing are none', () => {
  assert.deepEqual(read({ rejected_reason: 'NONE', quality_score: { score: 'UNKNOWN' } }), {
    id: '1',
    name: 'order_ready',
    language: '',
    category: '',
    status: 'APPROVED',
    reason: null,
    quality: null,
    components: [],
  })
  const { reason, quality } = read({ rejected_reason: 'INVALID_FORMAT', quality_score: { score: 'RED' } })
  assert.deepEqual([reason, quality], ['INVALID_FORMAT', 'RED'])
})

test('the languages of a template stand together, in the order of the upstream', () => {
  const groups = groupByName([
    read({ id: '1', language: 'pt_BR', category: 'UTILITY' }),
    read({ id: '2', name: 'promo', language: 'en' }),
    read({ id: '3', language: 'en', category: 'UTILITY' }),
  ])

  assert.deepEqual(
    groups.map(({ name, category, languages }) => [name, category, languages.map(({ id }) => id).join()]),
    [
      ['order_ready', 'UTILITY', '1,3'],
      ['promo', '', '2'],
    ],
  )
})
