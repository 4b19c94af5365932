import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExact } from '../../../kernel/json/exact.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'
import { createLinkRewriter, removePagingLinks, rewritePagingLinks } from './paging-links.ts'

const page = createLinkRewriter('https://hub.example/upstream/1/message_templates', ['limit', 'after', 'status'])

test('paging links point to the hub, with known parameters only and without the token', {
  rules: ['facade.paging-links-lead-to-the-hub'],
}, () => {
  const next =
    'https://graph.facebook.com/v25.0/1/message_templates?access_token=EAAsecret&pretty=0&status=%5B%22A%22%5D&limit=25&after=QVF%3D'
  const body = { data: [], paging: { cursors: { before: 'a', after: 'b' }, next, previous: next } }

  const { paging } = rewritePagingLinks(body, page) as { paging: JsonObject }

  const own = 'https://hub.example/upstream/1/message_templates?status=%5B%22A%22%5D&limit=25&after=QVF%3D'
  assert.deepEqual(paging, { cursors: { before: 'a', after: 'b' }, next: own, previous: own })
})

test('paging links that are missing or invalid are dropped', () => {
  const body = { data: [], paging: { cursors: {}, next: 'nowhere', previous: 5 } }

  assert.deepEqual(rewritePagingLinks(body, page), { data: [], paging: { cursors: {} } })
  assert.deepEqual(rewritePagingLinks({ data: [] }, page), { data: [] })
})

test('paging links of nested lists are removed at any depth', () => {
  const paging = { cursors: { after: 'b' }, next: 'https://graph.facebook.com/?access_token=EAAsecret' }
  const body = { id: '1', report: { data: [{ paging, rows: [[{ paging }]] }], paging }, paging: 'text' }

  const bare = { cursors: { after: 'b' } }
  assert.deepEqual(removePagingLinks(body), {
    id: '1',
    report: { data: [{ paging: bare, rows: [[{ paging: bare }]] }], paging: bare },
    paging: 'text',
  })
})

test('numbers keep their digits', () => {
  const text = '{"id":90071992547409931234,"data":[{"id":12345678901234567890}],"paging":{"cursors":{},"total":1.0}}'

  assert.equal(JSON.stringify(rewritePagingLinks(parseExact(text) as JsonObject, page)), text)
})
