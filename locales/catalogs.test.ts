import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { LANGUAGES } from './languages.ts'

type Texts = { [key: string]: string | Texts }

const ROOT = import.meta.dirname
/** The files that collect catalogs are not catalogs themselves. */
const FOLDERS = globSync('**/en.ts', { cwd: ROOT })
  .map((path) => dirname(path))
  .filter((folder) => folder !== 'dashboard')
  .sort()

async function readCatalog(folder: string, language: string): Promise<Map<string, string>> {
  const module = (await import(join(ROOT, folder, `${language}.ts`))) as Record<string, Texts>
  const catalog = module[language.replace('-', '')]
  assert.ok(catalog, `${folder}/${language}.ts exports ${language.replace('-', '')}`)
  return new Map(listTexts(catalog, ''))
}

function listTexts(texts: Texts, path: string): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[path + key, text] as [string, string]] : listTexts(text, `${path}${key}/`),
  )
}

function listParameters(text = ''): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort()
}

test('there is a catalog for every part of the dashboard', () => {
  assert.ok(FOLDERS.length > 50)
})

for (const folder of FOLDERS) {
  test(`${folder}: each language has the keys and the parameters of English`, async () => {
    const english = await readCatalog(folder, 'en')

    const files = globSync('*.ts', { cwd: join(ROOT, folder) }).map((name) => basename(name, '.ts'))
    assert.deepEqual(
      LANGUAGES.filter((language) => !files.includes(language)),
      [],
    )
    for (const language of LANGUAGES) {
      const texts = await readCatalog(folder, language)
      assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort(), language)
      for (const [key, text] of texts) {
        assert.notEqual(text.trim(), '', `${language} ${key}`)
        // The form for one may leave its number out.
        if (!key.endsWith('_one'))
          assert.deepEqual(listParameters(text), listParameters(english.get(key)), `${language} ${key}`)
      }
    }
  })
}

for (const folder of FOLDERS.filter((name) => name.startsWith('dashboard/'))) {
  test(`${folder}: a text with a count has a singular and a plural`, async () => {
    const english = await readCatalog(folder, 'en')

    const counted = [...english].filter(([, text]) => text.includes('{{count}}')).map(([key]) => key)
    const forms = counted.map((key) => key.replace(/_(?:one|other)$/, ''))
    for (const form of forms) {
      assert.ok(english.has(`${form}_one`) && english.has(`${form}_other`), `${form} needs _one and _other`)
      assert.ok(!english.has(form), `${form} stands beside its plural forms`)
    }
  })
}
