import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Block, Inline, Target } from '../src/features/docs/content.ts'
import { readGuides, SOURCES } from './guides.ts'
import { type ApiDocument, createOperationFinder } from './openapi.ts'
import { readReference } from './reference.ts'
import { indexGuides, indexOperations } from './search-index.ts'

const root = join(import.meta.dirname, '../..')
const document: ApiDocument = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
const guides = readGuides(root, createOperationFinder(document))
const reference = readReference(document)

test('every guide is in the list, in each language that it exists in', {
  rules: ['docs.has-every-guide-and-operation'],
}, () => {
  const files = globSync('docs/guides/*.md', { cwd: root }).map((file) => file.replace(/^docs\/guides\/|\.md$/g, ''))

  for (const file of files.filter((name) => name !== 'README')) {
    const [slug, language = 'en'] = file.split('.')
    const guide = guides.find((one) => one.slug === slug && one.language === language)
    assert.ok(guide && guide.title !== '' && guide.blocks.length > 0, file)
  }
  assert.equal(new Set(SOURCES.map(({ slug }) => slug)).size, SOURCES.length)
  // It is the address of the reference.
  assert.ok(!SOURCES.some(({ slug }) => slug === 'reference'))
})

test('no mark of Markdown is left in the text of a guide', () => {
  for (const { slug, language, blocks } of guides) {
    for (const text of blocks.flatMap(listTexts)) {
      assert.doesNotMatch(text, /\]\(|\*\*|`|<!--|^\s*[-*#] |\|/, `${slug} in ${language}`)
    }
  }
})

test('every link within the guides leads to a guide, a heading, an operation or a file that exists', () => {
  for (const { slug, language, blocks, files } of guides) {
    for (const target of blocks.flatMap(listTargets)) {
      const where = `${slug} in ${language}: ${JSON.stringify(target)}`
      if ('url' in target) assert.match(target.url, /^(?:https?:\/\/|mailto:|\/openapi\.json$)/, where)
      else if ('file' in target) assert.ok(files.includes(target.file), where)
      else if ('operation' in target)
        assert.ok(
          reference.operations.some(({ id }) => id === target.operation),
          where,
        )
      else assert.ok(hasHeading(target.guide, target.heading), where)
    }
  }
})

test('the reference has every operation and every event, with every error code and a call', {
  rules: ['docs.has-every-guide-and-operation'],
}, () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, 'x-error-codes': errors = {}, 'x-scope': scope }] of Object.entries(methods)) {
      const entry = reference.operations.find(({ id }) => id === operationId)
      assert.deepEqual([entry?.method, entry?.path], [method.toUpperCase(), path])
      assert.deepEqual(Object.fromEntries(entry?.errors.map(({ status, codes }) => [status, codes]) ?? []), errors)
      assert.deepEqual(
        entry?.scopes.slice(0, 1),
        [scope].filter((one) => one !== undefined),
        operationId,
      )
      assert.ok(entry?.curl, operationId)
    }
  }
  for (const kind of Object.keys(document.webhooks)) {
    const entry = reference.operations.find(({ method, path }) => method === 'EVENT' && path === kind)
    assert.ok(entry?.body && entry.example, kind)
  }
  const ids = reference.operations.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(new Set(reference.operations.map(({ tag }) => tag)), new Set(reference.tags.map(({ name }) => name)))
})

test('every error code of the reference has its place in the guide of reasons', () => {
  const codes = new Set(reference.operations.flatMap(({ errors }) => errors.flatMap((one) => one.codes)))

  for (const code of codes) assert.ok(hasHeading('error-reasons', code.toLowerCase()), code)
})

test('a nested schema has its types, limits and descriptions, and each named object is there once', () => {
  const { objects, operations } = reference
  const send = operations.find(({ id }) => id === 'sendMessage')
  const body = objects[send?.body?.shape.object ?? '']
  const text = objects[body?.variants?.[0]?.shape.object ?? '']
  const content = objects[text?.fields?.find(({ name }) => name === 'text')?.shape.object ?? '']

  assert.equal(body?.variants?.[0]?.label, 'type: text')
  assert.ok(text?.fields?.every(({ isRequired }) => isRequired))
  assert.deepEqual(content?.fields?.find(({ name }) => name === 'body')?.shape.type, 'string')
  const key = send?.parameters.find(({ place }) => place === 'header')
  assert.deepEqual([key?.name, key?.isRequired, key?.shape.limits], ['Idempotency-Key', true, ['8 to 200 characters']])
  const named = JSON.stringify([operations, objects]).matchAll(/"object":"(\w+)"/g)
  for (const [, name = ''] of named) assert.ok(objects[name], name)
})

test('the example of a send fills the channel, and shows the key only as a variable', {
  rules: ['docs.key-is-a-placeholder'],
}, () => {
  const send = reference.operations.find(({ id }) => id === 'sendMessage')
  const texts = [...guides.flatMap(({ blocks }) => JSON.stringify(blocks)), JSON.stringify(reference)]

  for (const parts of [send?.curl, send?.sdk]) {
    assert.ok(parts?.some((part) => typeof part === 'object' && 'value' in part && part.value === 'channel'))
    assert.match(JSON.stringify(parts), /HUBLINE_KEY/)
  }
  for (const text of texts) assert.doesNotMatch(text, /hub_(?:pk|ch)_[A-Za-z0-9_-]{20,}/)
})

test('the index has an entry for each heading and each operation, without code', () => {
  const entries = [...indexGuides(guides.filter(({ language }) => language === 'en')), ...indexOperations(reference)]

  const sending = entries.find(({ target }) => 'heading' in target && target.heading === 'sending-once')
  assert.deepEqual([sending?.title, sending?.section], ['Messages', 'Sending once'])
  assert.match(sending?.text ?? '', /identifies the send within its channel/)
  const operation = entries.find(({ target }) => 'operation' in target && target.operation === 'replayDelivery')
  assert.equal(operation?.section, 'POST /api/v1/webhooks/{id}/replay/{deliveryId}')
  assert.ok(entries.every(({ text }) => !text.includes('curl -s')))
})

function hasHeading(slug: string, heading: string | undefined): boolean {
  const versions = guides.filter((guide) => guide.slug === slug)
  if (heading === undefined) return versions.length > 0
  return versions.some(({ blocks }) => blocks.some((block) => block.kind === 'heading' && block.id === heading))
}

function listInlines(block: Block): Inline[] {
  if (block.kind === 'list') return block.items.flat().flatMap(listInlines)
  if (block.kind === 'table') return [block.head, ...block.rows].flat(2)
  return 'text' in block && typeof block.text !== 'string' ? block.text : []
}

function listTexts(block: Block): string[] {
  const walk = (one: Inline): string[] => {
    if (typeof one === 'string') return [one]
    if ('code' in one) return []
    return ('strong' in one ? one.strong : 'em' in one ? one.em : one.text).flatMap(walk)
  }
  return listInlines(block).flatMap(walk)
}

function listTargets(block: Block): Target[] {
  const walk = (one: Inline): Target[] => {
    if (typeof one === 'string' || 'code' in one) return []
    if ('link' in one) return [one.link]
    return ('strong' in one ? one.strong : one.em).flatMap(walk)
  }
  return listInlines(block).flatMap(walk)
}
