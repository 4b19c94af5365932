import { test } from 'node:test'
import { changed } from './test/change.ts'
import { EXAMPLES, type ExampleName } from './test/examples.ts'
import { assertAccepted, assertRefused, testLengths, testRefusals } from './test/tables.ts'

const FILES = ['image', 'audio', 'video', 'document', 'sticker'] as const

/** The pointers of all links and of all ids in the examples. */
const LINKS: [ExampleName, string][] = [
  ...FILES.map((type): [ExampleName, string] => [`${type}, linked`, `/${type}/link`]),
  ['button under an image', '/interactive/header/image/link'],
  ['button under a video', '/interactive/header/video/link'],
  ['cta_url', '/interactive/action/parameters/url'],
  ['carousel', '/interactive/action/cards/1/header/image/link'],
  ['carousel', '/interactive/action/cards/1/action/parameters/url'],
  ['template under an image', '/template/components/0/parameters/0/image/link'],
]
const IDS: [ExampleName, string][] = [
  ...FILES.map((type): [ExampleName, string] => [type, `/${type}/id`]),
  ['button under a document', '/interactive/header/document/id'],
  ['template under a video', '/template/components/0/parameters/0/video/id'],
  ['template under a document', '/template/components/0/parameters/0/document/id'],
  ['template with cards', '/template/components/0/cards/0/components/0/parameters/0/image/id'],
]

const ORIGIN = 'https://example.com/'
const GOOD_LINKS = [
  'http://example.com',
  'HTTPS://example.com/a?b=c#d',
  'https://example.com/pão.jpg',
  'https://192.0.2.1:8443/a',
  'https://[2001:db8::1]/a',
  ORIGIN + 'x'.repeat(2048 - ORIGIN.length),
]
const BAD_LINKS = [
  '',
  'example.com/a.jpg',
  '//example.com/a.jpg',
  '/a.jpg',
  'ftp://example.com/a.jpg',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  'https://',
  'https:example.com',
  ' https://example.com',
  'https://example.com/a b',
  'https://example.com/\n',
  'https://exa<mple.com',
  'https://example.com:99999',
  ORIGIN + 'x'.repeat(2049 - ORIGIN.length),
  7,
  null,
]

test('every link is an absolute http or https URL of at most 2048 characters', {
  rules: ['send.invalid-body-is-400'],
}, async () => {
  for (const [example, place] of LINKS) {
    for (const link of GOOD_LINKS) await assertAccepted(changed(EXAMPLES[example], place, link), `${place} ${link}`)
    for (const link of BAD_LINKS)
      await assertRefused(changed(EXAMPLES[example], place, link), place, `${place} ${link}`)
  }
})

test('every media id is 1 to 200 letters, digits and underscores', async () => {
  for (const [example, place] of IDS) {
    for (const id of ['1', 'Ab_9', '1'.repeat(200)]) {
      await assertAccepted(changed(EXAMPLES[example], place, id), `${place} ${id}`)
    }
    for (const id of ['', '1'.repeat(201), 'a/b', '../1', '1 ', '1\n', 'ç', 1037543291543636, null]) {
      await assertRefused(changed(EXAMPLES[example], place, id), place, `${place} ${id}`)
    }
  }
})

test('every file has either an id or a link', { rules: ['send.invalid-body-is-400'] }, async () => {
  const others: Record<string, string> = { id: 'link', link: 'id' }
  const sources = [...IDS, ...LINKS].filter(([, place]) => !place.endsWith('/url'))

  for (const [example, place] of sources) {
    const [file, source = ''] = [place.replace(/\/\w+$/, ''), place.split('/').at(-1)]
    const both = changed(EXAMPLES[example], `${file}/${others[source]}`, source === 'id' ? ORIGIN : '1')
    await assertRefused(both, file, `${example} with both`)
    await assertRefused(changed(EXAMPLES[example], file, {}), file, `${example} with neither`)
  }
})

testLengths('a caption', [
  ['image', '/image/caption', 0, 1024],
  ['video', '/video/caption', 0, 1024],
  ['document', '/document/caption', 0, 1024],
])

testRefusals('a member that this kind of file does not have, or of another kind', [
  ['audio', '/audio/caption', 'x'],
  ['sticker', '/sticker/caption', 'x'],
  ['image', '/image/filename', 'a.jpg'],
  ['video', '/video/voice', true],
  ['audio', '/audio/voice', 'true'],
  ['document', '/document/filename', 7],
  ['button under a document', '/interactive/header/document/filename', 7],
  ['button under an image', '/interactive/header/image', 'x'],
  ['template under a document', '/template/components/0/parameters/0/document/filename', null],
])
