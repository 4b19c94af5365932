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

/** Sends the callbacks of a number to the address of the app again, as before `CELL` was set. */
export async function unclaimNumber(up: Upstream, number: SeededNumber): Promise<void> {
  await callGraph(up, number, number.phoneNumberId, '', { webhook_configuration: { override_callback_uri: '' } })
}

/** The addresses that a number and its account have in place of the app's. */
export async function readCallbackUrls(up: Upstream, { phoneNumberId, accessToken }: SeededNumber) {
  const answer = await fetch(`${up.simulator.url}/v25.0/${phoneNumberId}?fields=webhook_configuration`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const { webhook_configuration: urls } = (await answer.json()) as { webhook_configuration?: Record<string, string> }
  return { number: urls?.phone_number, account: urls?.whatsapp_business_account }
}

/** The address that a number has in place of the app's. */
export async function readCallbackUrl(up: Upstream, number: SeededNumber): Promise<string | undefined> {
  return (await readCallbackUrls(up, number)).number
}

/** Two registered numbers of one account, to which the app is not subscribed. */
export async function addTwoNumbers(up: Upstream): Promise<[SeededNumber, SeededNumber]> {
  const { waba_id, access_token, numbers } = await up.simulator.control<{
    waba_id: string
    access_token: string
    numbers: { phone_number_id: string; display_phone_number: string }[]
  }>('POST', '/accounts', { subscribed: false, numbers: [{ registered: true }, { registered: true }] })
  const [one, two] = numbers.map(({ phone_number_id, display_phone_number }) => ({
    wabaId: waba_id,
    phoneNumberId: phone_number_id,
    accessToken: access_token,
    display: display_phone_number,
  }))
  if (!one || !two) throw new Error('The simulator made no numbers')
  return [one, two]
}
