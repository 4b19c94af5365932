import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SOURCES = join(import.meta.dirname, '..')
const TEXT = /^ +(?:'(?<quoted>[^']+)'|(?<plain>\w+)):\s+(?<quote>['"`])(?<text>.*?)\k<quote>,$/gms

/** The texts of each call of `defineTexts`: by key, English first and Portuguese after it. */
function listTexts(): { place: string; texts: string[] }[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  )
  return files.flatMap((file) => {
    const calls = readFileSync(join(SOURCES, file), 'utf8').split(/defineTexts\(/)
    return calls.slice(1).flatMap((rest) => {
      const [call = ''] = rest.split(/^\)/m)
      const [, name = ''] = /^\s*'([^']+)'/.exec(call) ?? []
      const byKey = Map.groupBy(call.matchAll(TEXT), ({ groups }) => groups?.quoted ?? groups?.plain ?? '')
      return [...byKey].map(([key, found]) => ({
        place: `${name}: ${key}`,
        texts: found.map(({ groups }) => groups?.text ?? ''),
      }))
    })
  })
}

test('a text has the same values in both languages, so that no translation loses or invents one', () => {
  const texts = listTexts()

  assert.ok(texts.length > 1000)
  for (const { place, texts: both } of texts) {
    const [english, portuguese, ...others] = both.map((text) =>
      [...text.matchAll(/\{\{(\w+)/g)].map(([, value]) => value).toSorted(),
    )
    assert.deepEqual(others, [], `${place} is written more than twice`)
    // A form for one may leave the number out.
    if (/_one$/.test(place)) continue
    assert.deepEqual(portuguese, english, place)
  }
})
