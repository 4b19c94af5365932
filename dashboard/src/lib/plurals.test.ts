import assert from 'node:assert/strict'
import { test } from 'node:test'
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
