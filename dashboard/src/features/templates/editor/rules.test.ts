import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Draft, EMPTY_DRAFT, toComponents } from './draft.ts'
import { checkDraft } from './rules.ts'

const DRAFT: Draft = { ...EMPTY_DRAFT, name: 'order_ready', body: 'Your order {{1}} is ready at {{2}} today.' }
const WHOLE: Draft = { ...DRAFT, samples: { 1: '4821', 2: '17h' } }

const PICTURE = { handle: 'h', name: 'a.png', type: 'image/png', bytes: 1, url: undefined }

function listUnmet(draft: Partial<Draft>): string[] {
  return Object.entries(checkDraft({ ...WHOLE, ...draft })).flatMap(([rule, isMet]) => (isMet ? [] : [rule]))
}

test('a whole template meets every rule, and each fault is named', () => {
  assert.deepEqual(listUnmet({}), [])
  const faults: [Partial<Draft>, string[]][] = [
    [{ name: 'Order Ready' }, ['name']],
    [{ body: '' }, ['body']],
    [{ body: '{{1}} is your order' }, ['edges']],
    [{ body: 'Order {{1}}{{2}} is here today' }, ['edges']],
    [{ body: 'Order {{2}} and {{1}} is here today' }, ['numbered']],
    [{ body: 'Order {{1} is here' }, ['numbered']],
    [{ samples: {} }, ['samples']],
    [{ body: 'a {{1}} - {{2}} - !' }, ['words']],
    [{ header: { kind: 'IMAGE', text: '', file: undefined } }, ['header']],
    [{ header: { kind: 'VIDEO', text: '', file: PICTURE } }, ['header']],
    [{ header: { kind: 'IMAGE', text: '', file: PICTURE } }, []],
    [{ header: { kind: 'TEXT', text: 'Order {{1}}', file: undefined } }, ['header']],
    [{ footer: 'Bye {{1}}' }, ['footer']],
    [{ buttons: [{ kind: 'URL', text: 'Open', value: 'example.com' }] }, ['buttons']],
    [
      {
        buttons: [
          { kind: 'QUICK_REPLY', text: 'Yes', value: '' },
          { kind: 'URL', text: 'Open', value: 'https://example.com' },
          { kind: 'QUICK_REPLY', text: 'No', value: '' },
        ],
      },
      ['together'],
    ],
  ]
  for (const [draft, rules] of faults) assert.deepEqual(listUnmet(draft), rules, JSON.stringify(draft))
})

test('samples and files become the examples of their components', () => {
  const file = { handle: '4::a', name: 'a.png', type: 'image/png', bytes: 1, url: undefined }
  const components = toComponents({ ...WHOLE, header: { kind: 'IMAGE', text: '', file }, footer: 'Bye' })

  assert.deepEqual(components, [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::a'] } },
    { type: 'BODY', text: WHOLE.body, example: { body_text: [['4821', '17h']] } },
    { type: 'FOOTER', text: 'Bye' },
  ])
})
