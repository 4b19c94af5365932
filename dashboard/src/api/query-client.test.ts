import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MutationObserver } from '@tanstack/react-query'
import { createQueryClient } from './query-client.ts'

test('what a form sent and received is forgotten with the form', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const client = createQueryClient({ onSessionEnd: () => undefined, onSecondFactorRequired: () => undefined })
  const form = new MutationObserver(client, { mutationFn: async (password: string) => ({ secret: `of ${password}` }) })

  const close = form.subscribe(() => undefined)
  await form.mutate('correct horse')
  assert.equal(client.getMutationCache().getAll().length, 1)
  close()
  t.mock.timers.tick(0)

  assert.deepEqual(client.getMutationCache().getAll(), [])
})
