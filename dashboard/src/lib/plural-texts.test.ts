import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { escapePattern } from './sentences.ts'

const SOURCES = join(import.meta.dirname, '..')
const TEXT = /^ +(?:'(?<quoted>[^']+)'|(?<plain>[\w]+)):\s+(?<quote>['"`])(?<text>.*?)\k<quote>,$/gms

/** The keys of all texts that name a count, with the file that has them: each twice, in English and in Portuguese. */
function listCountedKeys(): { file: string; key: string }[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  )
  return files.flatMap((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8')
    if (!source.includes('defineTexts(')) return []
    return [...source.matchAll(TEXT)].flatMap(({ groups = {} }) => {
      const { quoted, plain = quoted, text = '' } = groups
      return text.includes('{{count}}') && plain !== undefined ? [{ file, key: plain }] : []
    })
  })
}

test('every text with a count has a singular and a plural in both languages', () => {
  const counted = listCountedKeys()

  assert.ok(counted.length > 200)
  const withoutForm = counted.filter(({ key }) => !/_(?:one|other)$/.test(key))
  assert.deepEqual(withoutForm, [])
  const sources = new Map(counted.map(({ file }) => [file, readFileSync(join(SOURCES, file), 'utf8')]))
  for (const { file, key } of counted) {
    const other = key.endsWith('_one') ? key.replace(/_one$/, '_other') : key.replace(/_other$/, '_one')
    const found = sources.get(file)?.match(new RegExp(`^ +'?${escapePattern(other)}'?:`, 'gm')) ?? []
    assert.equal(found.length, 2, `${file} lacks ${other}`)
  }
})
