import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '@hubline/locales/languages.ts'
import i18next from 'i18next'
import { isolate } from './isolate.ts'
import { completeTexts } from './plurals.ts'

test('counts have the separators of the language, and Portuguese its three plurals', async () => {
  const english = completeTexts({ rows_one: '{{count}} row', rows_other: '{{count}} rows' })
  const portuguese = completeTexts({ rows_one: '{{count}} linha', rows_other: '{{count}} linhas' })
  const instance = i18next.createInstance()
  await instance.init({ lng: 'en', resources: { en: { t: english }, 'pt-BR': { t: portuguese } }, defaultNS: 't' })
  const write = (language: string, count: number) => instance.t('rows', { lng: language, count })

  assert.deepEqual(
    [1, 12_345].map((count) => write('en', count)),
    ['1 row', '12,345 rows'],
  )
  const counts = [0, 1, 2, 12_345, 1_000_000]
  const lines = ['0 linhas', '1 linha', '2 linhas', '12.345 linhas', '1.000.000 linhas']
  assert.deepEqual(
    counts.map((count) => write('pt-BR', count)),
    lines,
  )
})

test('a name that is written from right to left stays within its place in the sentence', async () => {
  const instance = i18next.createInstance()
  const resources = { en: { t: completeTexts({ ask: 'Delete {{name}} ({{count}})?' }) } }
  await instance.init({ lng: 'en', resources, defaultNS: 't', interpolation: { escape: isolate } })

  assert.equal(instance.t('ask', { name: 'Pão & <Vinho>', count: 1 }), 'Delete Pão & <Vinho> (1)?')
  assert.equal(instance.t('ask', { name: 'מאפייה', count: 1 }), 'Delete \u2068מאפייה\u2069 (1)?')
})

test('a text with a count has every plural form of each language', () => {
  const forms = Object.keys(completeTexts({ rows_one: '{{count}} row', rows_other: '{{count}} rows' }))

  for (const language of LANGUAGES) {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    assert.deepEqual(
      pluralCategories.filter((category) => !forms.includes(`rows_${category}`)),
      [],
      language,
    )
  }
})

test('a name with the syntax of a template is shown as it is', async () => {
  const instance = i18next.createInstance()
  const texts = { ask: 'Delete {{name}} of {{other}}?', secret: 'another text' }
  const resources = { en: { t: completeTexts(texts) } }
  await instance.init({ lng: 'en', resources, defaultNS: 't', interpolation: { escape: isolate } })

  for (const name of [
    '$t(secret)',
    '$t(ask, {"lng": "es"})',
    '{{other}}',
    '{{name, number}}',
    '<script>',
    "$& $1 $'",
  ]) {
    assert.equal(instance.t('ask', { name, other: 'Acme' }), `Delete ${name} of Acme?`)
    assert.equal(instance.t('ask', { name: 'Acme', other: name }), `Delete Acme of ${name}?`)
  }
})
