import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSimulator, type Simulator } from './server.ts'

type Account = { waba_id: string; access_token: string; numbers: { phone_number_id: string }[] }

function newFile(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'simulator-state-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'state')
}

async function numberAt(url: string, id: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/v25.0/${id}`, { headers: { authorization: `Bearer ${token}` } })
  await answer.body?.cancel()
  return answer.status
}

test('a simulator with a state file has the same numbers and tokens after a restart', async (t) => {
  const stateFile = newFile(t)
  const first = createSimulator({ stateFile })
  const account = await first.control<Account>('POST', '/accounts', { numbers: [{ registered: true }] })
  await first.close()

  await using second = createSimulator({ stateFile })
  const url = await second.listen()

  const number = account.numbers[0]?.phone_number_id ?? ''
  assert.equal(await numberAt(url, number, account.access_token), 200)
  assert.equal(await numberAt(url, number, 'EAAanother'), 401)
  assert.equal(statSync(stateFile).mode & 0o777, 0o600)
})

test('a change that a request makes after the state was saved survives a restart', async (t) => {
  const stateFile = newFile(t)
  const first = createSimulator({ stateFile })
  const url = await first.listen()
  const account = await first.control<Account>('POST', '/accounts', { numbers: [{ registered: true }] })
  const slow = request(`${url}/_sim/contacts/5511999990000/messages`, { method: 'POST' })
  const isAnswered = once(slow, 'response')
  slow.write('{"to":')
  await saveByPayment(first)

  slow.end(`"${account.numbers[0]?.phone_number_id}"}`)
  await isAnswered
  await first.close()

  await using second = createSimulator({ stateFile })
  const { messages } = await second.control<{ messages: object[] }>('GET', '/messages')
  assert.equal(messages.length, 1)
})

/** A write to payments saves the state. A response to it also shows that the requests before it have arrived. */
async function saveByPayment({ url, payments }: Simulator): Promise<void> {
  const headers = { authorization: `Bearer ${payments.secretKey}` }
  for (const _ of [1, 2]) assert.equal((await fetch(`${url}/v1/customers`, { method: 'POST', headers })).status, 200)
}

test('a simulator without a state file, or with an unreadable one, begins empty', async (t) => {
  const stateFile = newFile(t)
  writeFileSync(stateFile, 'not a state file')

  await using torn = createSimulator({ stateFile })
  await using none = createSimulator({})

  assert.deepEqual(await torn.control('GET', '/accounts'), { accounts: [] })
  assert.deepEqual(await none.control('GET', '/accounts'), { accounts: [] })
})
