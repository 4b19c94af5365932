import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPage } from '../../../test/location.ts'
import { writeSamples } from './samples.ts'

const MESSAGE = { to: '5511955500199', type: 'text', text: { body: 'Olá, "Bia"! \\ d\'Ouro\n☕' } } as const
const PATH = 'https://hub.example/api/v1/channels/c1/messages'

test('each sample sends the same message to the same channel', (t) => {
  openPage(t, 'https://hub.example')

  const { curl = '', TypeScript = '', Python = '' } = writeSamples('c1', MESSAGE)

  assert.ok(curl.includes(PATH))
  assert.ok(Python.includes(`"${PATH}"`))
  assert.ok(TypeScript.includes("hub.messages.send('c1', {"))
  const call = /send\('c1', (?<message>\{.*\})\)$/s.exec(TypeScript)?.groups?.message ?? ''
  assert.deepEqual(JSON.parse(call), MESSAGE)
  const json = /json=(?<message>\{.*\}),\n/.exec(Python)?.groups?.message ?? ''
  assert.deepEqual(JSON.parse(json), MESSAGE)
})
