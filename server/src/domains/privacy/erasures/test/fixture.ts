import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startReceiver } from '../../../../../test/receiver.ts'
import { startInbound } from '../../../inbound/test/fixture.ts'
import { buildEnv, createRequests } from '../../../webhooks/test/fixture.ts'
import type { Erasure } from '../schemas.ts'

/** A number as the business types it, and as the upstream writes it. */
export const TYPED = '5511976543210'
export const WA_ID = '551176543210'
export const USER_ID = 'BR.canary777user'
export const NAME = 'Zuleica Canary'
export const CONTACT = { profile: { name: NAME }, wa_id: WA_ID, user_id: USER_ID }

export const OTHER = '5511912345678'
export const OTHER_CONTACT = { profile: { name: 'Bruno Outro' }, wa_id: OTHER, user_id: 'BR.another888' }

let texts = 0

/** A text of a person, with words that no other one has. */
export function buildText(from: string, more: object = {}) {
  const id = `wamid.erasure${++texts}`
  return { from, id, timestamp: '1790000000', type: 'text', text: { body: `segredo-${from}-${texts}` }, ...more }
}

/** A connected channel, an owner, a receiver, and requests for erasures. */
export async function startErasures(t: TestContext, options: Parameters<typeof startInbound>[1] = {}) {
  const receiver = await startReceiver(t)
  const fixture = await startInbound(t, { ...options, env: buildEnv(receiver, options.env) })
  const { hub, acme } = fixture
  await hub.sql`delete from deferred_fan_outs`
  await hub.sql`delete from delivery_queue`
  const owner = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const path = `/console/organizations/${acme.organizationId}/erasures`

  async function show(id: string): Promise<Erasure> {
    return (await owner.get(`${path}/${id}`)).body.data.erasure
  }

  async function request(person: object): Promise<Erasure> {
    const answer = await owner.post(path, person)
    assert.equal(answer.status, 202, answer.text)
    return answer.body.data.erasure
  }

  /** Runs the worker of a hub, as its job does. */
  const work = (of: { context: { erasureWorker: { runAll: () => Promise<void> } } } = hub) =>
    of.context.erasureWorker.runAll()

  /** Moves the clock until the erasure is done. */
  async function finish({ id }: { id: string }): Promise<Erasure> {
    for (let minutes = 0; minutes < 10; minutes++) {
      await hub.clock.advance('1 minute')
      await work()
      const erasure = await show(id)
      if (erasure.status === 'done') return erasure
    }
    throw new Error(`The erasure is not done: ${JSON.stringify(await show(id))}`)
  }

  return {
    ...fixture,
    ...createRequests(hub, receiver, acme),
    receiver,
    owner,
    path,
    show,
    request,
    work,
    finish,

    async preview(person: object) {
      const answer = await owner.post(`${path}/preview`, person)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data
    },

    async erase(person: object): Promise<Erasure> {
      return finish(await request(person))
    },
  }
}
