import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block, Inline, Target } from '../src/features/docs/content.ts'
import { toWebTarget } from './inline.ts'
import { parseMarkdown } from './markdown.ts'

/** Knows one guide, one image and one operation. */
const SURROUNDINGS = {
  findTarget: (address: string): Target | undefined =>
    toWebTarget(address) ??
    (address === 'channels.md' ? { guide: 'channels' } : undefined) ??
    (/^shop-(?:light|dark)\.png$/.test(address) ? { file: address } : undefined),
  findOperation: (code: string) => (code.startsWith('POST /api/v1/webhooks') ? 'createWebhook' : undefined),
}

const parse = (markdown: string): Block[] => parseMarkdown(markdown, SURROUNDINGS).blocks
const inlines = (markdown: string): Inline[] => {
  const [block] = parse(markdown)
  assert.equal(block?.kind, 'paragraph')
  return block.text
}

test('the first heading is the title, and every other has the id that GitHub gives it', () => {
  const { title, blocks } = parseMarkdown(
    "# Send\n\n## What `to` is\n\n## Número: já\n\n### What 'to' is\n",
    SURROUNDINGS,
  )

  assert.equal(title, 'Send')
  assert.deepEqual(
    blocks.map((block) => block.kind === 'heading' && [block.level, block.id]),
    [
      [2, 'what-to-is'],
      [2, 'número-já'],
      [3, 'what-to-is-1'],
    ],
  )
})

test('a paragraph has code, emphasis and links, and lines of one paragraph belong together', () => {
  assert.deepEqual(inlines('Send `a|b` **once, `now`**, *twice*,\nsee [the `guide`](channels.md).'), [
    'Send ',
    { code: 'a|b' },
    ' ',
    { strong: ['once, ', { code: 'now' }] },
    ', ',
    { em: ['twice'] },
    ',\nsee ',
    { link: { guide: 'channels' }, text: ['the ', { code: 'guide' }] },
    '.',
  ])
  assert.deepEqual(inlines('2 * 3 * 4, a_b_c and \\*this\\*'), ['2 * 3 * 4, a_b_c and *this*'])
})

test('code that names an operation leads to its entry', () => {
  assert.deepEqual(inlines('`POST /api/v1/webhooks` and `PATCH …`'), [
    { link: { operation: 'createWebhook' }, text: [{ code: 'POST /api/v1/webhooks' }] },
    ' and ',
    { code: 'PATCH …' },
  ])
})

test('lists keep their nesting, their numbers and what is indented below an item', () => {
  const [list, after] = parse('3. One\n   more\n   - inner\n   - other\n\n   ```sh\n   ls\n   ```\n4. Two\n\nAfter')

  assert.deepEqual(list, {
    kind: 'list',
    start: 3,
    items: [
      [
        { kind: 'paragraph', text: ['One\nmore'] },
        {
          kind: 'list',
          items: [[{ kind: 'paragraph', text: ['inner'] }], [{ kind: 'paragraph', text: ['other'] }]],
        },
        { kind: 'code', language: 'sh', parts: ['ls'] },
      ],
      [{ kind: 'paragraph', text: ['Two'] }],
    ],
  })
  assert.deepEqual(after, { kind: 'paragraph', text: ['After'] })
})

test('a table has as many cells in each row as in its head, and a bar in code is no border', () => {
  assert.deepEqual(parse('| A | B |\n|---|---|\n| `a\\|b` | |\n| only |'), [
    {
      kind: 'table',
      head: [['A'], ['B']],
      rows: [
        [[{ code: 'a|b' }], []],
        [['only'], []],
      ],
    },
  ])
})

test('an image has its other form for the dark theme, and one that nobody knows is left out', () => {
  assert.deepEqual(parse('![The shop](shop-light.png)'), [
    { kind: 'image', light: 'shop-light.png', dark: 'shop-dark.png', text: 'The shop' },
  ])
  assert.deepEqual(parse('![x](https://elsewhere.example/x.png)'), [])
})

test('HTML stays text, also in code, headings, tables and links', {
  rules: ['docs.markdown-never-becomes-html'],
}, () => {
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>'
  const blocks = parse(
    `## ${hostile}\n\n${hostile}\n\n- ${hostile}\n\n| ${hostile} |\n|---|\n| ${hostile} |\n\n[${hostile}](channels.md)`,
  )

  assert.deepEqual(blocks, [
    { kind: 'heading', level: 2, id: 'scriptalert1scriptimg-srcx-onerroralert1', text: [hostile] },
    { kind: 'paragraph', text: [hostile] },
    { kind: 'list', items: [[{ kind: 'paragraph', text: [hostile] }]] },
    { kind: 'table', head: [[hostile]], rows: [[[hostile]]] },
    { kind: 'paragraph', text: [{ link: { guide: 'channels' }, text: [hostile] }] },
  ])
})

test('a link leads to the web, to mail or to a known document; every other address leaves its words', {
  rules: ['docs.markdown-never-becomes-html'],
}, () => {
  const refused = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    '&#106;&#97;&#118;&#97;:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<b>',
    'vbscript:x',
    'file:///etc/passwd',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '../../server/src/bin/main.ts',
  ]
  const addresses = JSON.stringify(refused.map((address) => parse(`[word](<${address}>) [word](${address})`)))

  assert.doesNotMatch(addresses, /"link"|"url"/)
  assert.match(addresses, /word/)
  for (const address of ['https://example.com/a?b=c#d', 'http://localhost:8080', 'mailto:a@example.com']) {
    assert.deepEqual(inlines(`[word](${address})`), [{ link: { url: address }, text: ['word'] }])
  }
})

test('unfinished marks stay text, however many there are', () => {
  const cases = [
    '[a](',
    '**a',
    '`a',
    '*a',
    '```sh\nls',
    '| a |\n|---|',
    '![a](',
    '<!-- a',
    '<picture>',
    '- ',
    '1.',
    '# ',
  ]
  for (const text of cases) assert.ok(Array.isArray(parse(text)), text)
  for (const part of ['[', '**', '*a ', '`', '[a](', '![', '| ', '- ', '\\', '<!--']) {
    assert.ok(Array.isArray(parse(part.repeat(200))), part)
    assert.ok(Array.isArray(parse(`${part}\n`.repeat(200))), part)
  }
})
