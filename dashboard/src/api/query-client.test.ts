import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HubError } from '@hubline/sdk'
import { MutationObserver } from '@tanstack/react-query'
import { createQueryClient, isSignedOut } from './query-client.ts'

function refusal(status: number | null, code = 'CODE'): HubError {
  return new HubError({ status, code, message: '', details: null, requestId: null })
}

/** A client, and which of its callbacks were called. */
function startClient() {
  const called: string[] = []
  const client = createQueryClient({
    onSessionEnd: () => void called.push('session end'),
    onSecondFactorRequired: () => void called.push('second factor'),
  })
  async function fail(queryKey: string[], error: Error): Promise<string[]> {
    const queryFn = () => Promise.reject(error)
    await client.fetchQuery({ queryKey, queryFn, retry: false, staleTime: 0 }).catch(() => undefined)
    return called.splice(0)
  }
  return { client, fail }
}

test('a refusal is final, and a fault of the hub or the network is tried two times more', () => {
  const retry = startClient().client.getDefaultOptions().queries?.retry
  assert.ok(typeof retry === 'function')
  const rows: [Error, number][] = [
    [refusal(400), 0],
    [refusal(404), 0],
    [refusal(429), 0],
    [refusal(500), 2],
    [refusal(503), 2],
    [new TypeError('network error'), 2],
  ]
  for (const [error, retries] of rows) {
    const tried = [0, 1, 2, 3].filter((failures): boolean => retry(failures, error))
    assert.equal(tried.length, retries, error.message)
  }
})

test('only a page that relied on a session leaves when it has ended', async () => {
  const { client, fail } = startClient()

  assert.deepEqual(await fail(['session'], refusal(401)), [])
  assert.deepEqual(await fail(['channels'], refusal(401)), ['session end'])
  client.setQueryData(['session'], { role: 'owner' })
  assert.deepEqual(await fail(['session'], refusal(401)), ['session end'])
  assert.deepEqual(await fail(['channels'], refusal(403)), [])
  assert.deepEqual(await fail(['channels'], new Error('offline')), [])
})

test('a required second factor is known by its code', async () => {
  const { fail } = startClient()

  assert.deepEqual(await fail(['channels'], refusal(403, 'TWO_FACTOR_REQUIRED')), ['second factor'])
  assert.deepEqual(await fail(['channels'], refusal(403, 'INSUFFICIENT_SCOPE')), [])
})

test('a lost connection does not end a session', () => {
  assert.ok(isSignedOut(refusal(401)))
  for (const error of [refusal(403), refusal(null), new Error('offline'), undefined]) assert.ok(!isSignedOut(error))
})

test('the data of a form is forgotten with the form', async (t) => {
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
