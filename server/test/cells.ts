import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { freePort } from './journeys/processes.ts'
import { startReceiver } from './receiver.ts'
import type { SeededNumber, Upstream } from './upstream.ts'

/** The variables of a hub that is a cell. Its address is known before its start, because the upstream asks there first. */
export async function cellVariables(mark: string): Promise<Record<string, string>> {
  const PORT = String(await freePort())
  return { CELL: mark, PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` }
}

/** An address of another cell, which the upstream accepts. */
export async function startOtherCell(t: TestContext) {
  const receiver = await startReceiver(t)
  receiver.answer(({ path }) => ({
    status: 200,
    body: new URLSearchParams(path.split('?')[1]).get('hub.challenge') ?? '',
  }))
  return { ...receiver, callbackUrl: `${receiver.url}/hooks/upstream` }
}

/** Sends the callbacks of a number's account to an address, as the hub of that address does. */
export async function claimAccount(up: Upstream, number: SeededNumber, callbackUrl: string): Promise<void> {
  await callGraph(up, number, number.wabaId, '/subscribed_apps', {
    override_callback_uri: callbackUrl,
    verify_token: up.simulator.verifyToken,
  })
}

/** The same of the number alone. */
export async function claimNumber(up: Upstream, number: SeededNumber, callbackUrl: string): Promise<void> {
  await callGraph(up, number, number.phoneNumberId, '', {
    webhook_configuration: { override_callback_uri: callbackUrl, verify_token: up.simulator.verifyToken },
  })
}

async function callGraph(up: Upstream, { accessToken }: SeededNumber, id: string, edge: string, body: object) {
  const answer = await fetch(`${up.simulator.url}/v25.0/${id}${edge}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, await answer.text())
}

/** The address that an account has in place of the app's. */
export async function readCallbackUrl(up: Upstream, wabaId: string): Promise<string | undefined> {
  const { accounts } = await up.simulator.control<{ accounts: { waba_id: string; callback_url?: string }[] }>(
    'GET',
    '/accounts',
  )
  return accounts.find((account) => account.waba_id === wabaId)?.callback_url
}
