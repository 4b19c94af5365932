import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { newId } from '../../src/kernel/ids.ts'
import { startBrowserFixture } from './browser.ts'

export const BRUNO = { phone: '5511955500199', name: 'Bruno Lima' }
const NO_FAULTS = { phone_offline: false, callback_delay_ms: 0, duplicate: false, reorder: false, fail_with: null }

/** A browser fixture with an owner, whose channel is connected to a simulated number. */
export async function startConnected(t: TestContext, env: Record<string, string> = {}) {
  const fixture = await startBrowserFixture(t, env)
  const { hub, up, acme, origin, id } = fixture
  const callback = { url: `${hub.url}/hooks/upstream`, verify_token: up.simulator.verifyToken }
  await up.simulator.control('PUT', '/callback', callback)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const console = ana.with({ origin })
  const sandbox = `/console/sandbox/channels/${id}`
  assert.equal((await console.post(`${sandbox}/connect`)).status, 200)

  async function receive(body = 'Oi', customer: object = BRUNO): Promise<void> {
    const message = { type: 'text', text: { body } }
    assert.equal((await console.post(`${sandbox}/messages`, { customer, message })).status, 201)
  }
  async function send(body: string): Promise<string> {
    const message = { to: BRUNO.phone, type: 'text', text: { body } }
    const headers = { 'idempotency-key': newId() }
    const sent = await acme.post(`/api/v1/channels/${id}/messages`, message, { headers })
    assert.equal(sent.status, 202, sent.text)
    await up.simulator.control('POST', '/clock', { advance_ms: 1000 })
    return sent.body.data.message.id
  }
  const fail = (code: number | null) => console.put(`${sandbox}/faults`, { ...NO_FAULTS, fail_with: code })
  return { ...fixture, ana, receive, send, fail }
}
