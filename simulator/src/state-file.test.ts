import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSimulator } from './server.ts'

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

test('a simulator without a state file, or with an unreadable one, begins empty', async (t) => {
  const stateFile = newFile(t)
  writeFileSync(stateFile, 'not a state file')

  await using torn = createSimulator({ stateFile })
  await using none = createSimulator({})

  assert.deepEqual(await torn.control('GET', '/accounts'), { accounts: [] })
  assert.deepEqual(await none.control('GET', '/accounts'), { accounts: [] })
})
