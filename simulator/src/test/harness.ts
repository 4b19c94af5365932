import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { JsonObject } from '../json.ts'
import { createSimulator, type SimulatorOptions } from '../server.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export interface Reply {
  status: number
  headers: Headers
  body: Record<string, unknown> & { error: GraphErrorBody }
}

export interface GraphErrorBody {
  message: string
  type: string
  code: number
  error_subcode?: number
  error_data?: { messaging_product: string; details: string }
  error_user_title?: string
  error_user_msg?: string
  fbtrace_id: string
}

export interface SeededAccount {
  waba_id: string
  business_id: string
  access_token: string
  numbers: { phone_number_id: string; number: string; display_phone_number: string }[]
}

export const VERIFY_TOKEN = 'verify-me'
export const START = new Date('2026-11-15T12:00:00Z')

export type Fixture = Awaited<ReturnType<typeof startFixture>>

/** A simulator on a manual clock, a receiver for its webhooks, and one subscribed account with a registered number. */
export async function startFixture(t: TestContext, options: SimulatorOptions = {}) {
  const receiver: Receiver = await startReceiver(VERIFY_TOKEN)
  const simulator = createSimulator({
    seed: 'test',
    clock: 'manual',
    now: START,
    callbackUrl: receiver.url,
    verifyToken: VERIFY_TOKEN,
    ...options,
  })
  await simulator.listen()
  t.after(async () => {
    await simulator.close()
    await receiver.close()
  })

  const control = simulator.control
  const account = await control<SeededAccount>('POST', '/accounts', {
    name: 'Padaria São João',
    subscribed: true,
    numbers: [{ number: '5511987654321', registered: true, pin: '123456' }],
  })
  const phoneId = account.numbers[0]!.phone_number_id
  const token = account.access_token

  async function graph(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const isForm = body instanceof FormData || body instanceof Buffer
    const response = await fetch(`${simulator.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? (body as FormData) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } } as Reply
  }

  return {
    simulator,
    receiver,
    control,
    graph,
    account,
    wabaId: account.waba_id,
    phoneId,
    token,
    appToken: `${simulator.appId}|${simulator.appSecret}`,
    advance: (ms: number) => control('POST', '/clock', { advance_ms: ms }),
    send: (message: Record<string, unknown>) =>
      graph('POST', `/v25.0/${phoneId}/messages`, { messaging_product: 'whatsapp', to: '5511999990000', ...message }),
    /** A message from the person, which opens the customer service window. */
    receive: (message: JsonObject = {}, from = '5511999990000') =>
      control<{ message_id: string }>('POST', `/contacts/${from}/messages`, { to: phoneId, ...message }),
    /** The user id of the first person for the business of the account. */
    async readUserId(): Promise<string> {
      const { contacts } = await control<{ contacts: { user_ids: Record<string, string> }[] }>('GET', '/contacts')
      return contacts[0]?.user_ids[account.business_id] ?? ''
    },
  }
}

/** The id of an accepted message. */
export function readWamid(reply: Reply): string {
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return (reply.body as unknown as { messages: [{ id: string }] }).messages[0].id
}

export interface StatusEntry {
  id: string
  status: string
  timestamp: string
  recipient_id?: string
  recipient_user_id?: string
  biz_opaque_callback_data?: string
  pricing?: Record<string, unknown>
  conversation?: Record<string, unknown>
  errors?: { code: number; title: string; message: string; error_data: { details: string } }[]
}

export function listStatuses(receiver: Receiver): StatusEntry[] {
  return receiver
    .changes()
    .filter((change) => change.field === 'messages')
    .flatMap((change) => (change.value.statuses as StatusEntry[] | undefined) ?? [])
}

export function listValues(receiver: Receiver, field: string): Record<string, unknown>[] {
  return receiver
    .changes()
    .filter((change) => change.field === field)
    .map((change) => change.value)
}
