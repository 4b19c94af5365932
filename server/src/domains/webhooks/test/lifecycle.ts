import assert from 'node:assert/strict'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import type { Received } from '../../../../test/receiver.ts'
import { SPACED_FROM } from '../endpoints/failure-count.ts'
import type { Delivery } from '../log/schemas.ts'
import { createRequests, parseEnvelope, type WebhookFixture } from './fixture.ts'
import { createModel, isFinal } from './lifecycle-model.ts'
import { type Claimed, startLostWorker } from './lost-worker.ts'
import { isSignedWith } from './signature.ts'

/** The log shows as many deliveries, so further ones could not be compared. */
const DELIVERIES_MAX = 50
const TESTS_PER_HOUR = 10

type Status = 'active' | 'paused' | 'disabled' | 'deleted'

export type Act =
  | { act: 'publish'; count: number }
  | { act: 'deliver'; isUp: boolean; meanwhile: Status | null }
  | { act: 'outage'; rounds: number; isReactivated: boolean }
  | { act: 'wait'; time: string }
  | { act: 'runJobs' }
  | { act: 'setStatus'; status: Status }
  | { act: 'replay'; pick: number }
  | { act: 'test' }
  | { act: 'rotate' }
  | { act: 'claim'; count: number }
  | { act: 'finishClaims'; isSuccess: boolean }

/** A new endpoint. `perform` compares it with the model after every act. */
export async function startLifecycle({ hub, receiver }: Pick<WebhookFixture, 'hub' | 'receiver'>) {
  const owner = await hub.organization()
  const { endpoint: create, publishMany, replay, sendTest } = createRequests(hub, receiver, owner)
  const crm = await create()
  const path = `/api/v1/webhooks/${crm.id}`
  const model = createModel()
  const { endpoint, deliveries } = model
  const worker = startLostWorker(hub)
  const bodies = new Map<string, string>()
  let seen = new Map<string, Delivery>()
  let claimed: Claimed[] = []
  let { secret } = crm
  let tests = 0

  const now = () => hub.clock.now().getTime()
  const isActive = () => endpoint.status === 'active' && !endpoint.isDeleted

  /** Returns true if the delivery is due at that time, according to its last log entry. */
  function isDue(id: string, at: number): boolean {
    const status = deliveries.get(id)?.status
    return status === 'pending' || (status === 'retry' && Date.parse(seen.get(id)!.next_attempt_at) <= at)
  }

  function due(): string[] {
    return isActive() ? [...seen.keys()].filter((id) => isDue(id, now())) : []
  }

  /** The failures that the hub has counted. */
  async function readFailures(): Promise<number> {
    if (endpoint.isDeleted) return 0
    return (await hub.context.endpoints.get(owner.organizationId, crm.id)).consecutive_failures
  }

  /** One round of attempts. All due deliveries arrive, unless the endpoint is no longer active or attempts are spaced. */
  async function deliver(isUp: boolean, meanwhile: Status | null): Promise<void> {
    const before = receiver.received.length
    const expected = due()
    receiver.answer(isUp ? 200 : 500)
    const wasSpaced = endpoint.failures >= SPACED_FROM
    const isChanged = meanwhile !== null && expected.length > 0 && !wasSpaced
    if (isChanged) receiver.hold()
    const delivering = hub.deliver()
    if (isChanged) {
      await receiver.until(before + 1)
      await request(meanwhile)
      receiver.letGo()
    }
    await delivering

    const arrived = receiver.received.slice(before)
    const ids = readIds(arrived)
    for (const id of ids) assert.ok(isDue(id, now()), `${id} was not due`)
    for (const one of arrived) check(one)
    model.begin(ids, now())
    if (isChanged) apply(meanwhile)
    model.end(ids, isUp, now(), await readFailures())
    if (isActive() && !wasSpaced && endpoint.failures < SPACED_FROM)
      assert.deepEqual(
        expected.filter((id) => !ids.includes(id)),
        [],
      )
  }

  function check(one: Received): void {
    const { id } = parseEnvelope(one)
    const body = one.body.toString()
    assert.ok(isSignedWith(one, secret))
    assert.equal(bodies.get(id) ?? body, body)
    bodies.set(id, body)
  }

  async function request(status: Status): Promise<void> {
    const answer = status === 'deleted' ? await owner.delete(path) : await owner.patch(path, { status })
    assert.equal(answer.status, endpoint.isDeleted ? 404 : 200)
  }

  function apply(status: Status): void {
    if (endpoint.isDeleted) return
    if (status === 'deleted') model.delete()
    else model.set(status, now())
  }

  async function setStatus(status: Status): Promise<void> {
    await request(status)
    apply(status)
  }

  async function publish(count: number): Promise<void> {
    const free = DELIVERIES_MAX - deliveries.size
    await publishMany(Math.min(count, free))
    if (!isActive()) return
    const log = await hub.context.deliveryLog.listRecent(owner.organizationId, crm.id)
    const created = log.filter(({ id }) => !deliveries.has(id))
    assert.equal(created.length, Math.min(count, free))
    for (const { id } of created) model.add(id)
  }

  async function replayAny(pick: number): Promise<void> {
    const ids = [...seen.keys()]
    const id = ids[pick % ids.length]
    if (id === undefined || deliveries.size >= DELIVERIES_MAX) return
    const known = deliveries.get(id)
    const answer = await replay(crm, { id })
    assert.equal(answer.status, known && isFinal(known.status) && isActive() ? 202 : 404)
    if (answer.status === 202) model.add(answer.body.data.delivery_id)
  }

  async function test(): Promise<void> {
    if (deliveries.size >= DELIVERIES_MAX || tests >= TESTS_PER_HOUR) return
    const answer = await sendTest(crm)
    assert.equal(answer.status, isActive() ? 202 : 404)
    if (answer.status !== 202) return
    tests++
    model.add(answer.body.data.delivery_id)
  }

  async function rotate(): Promise<void> {
    const answer = await owner.post(`${path}/rotate-secret`)
    assert.equal(answer.status, endpoint.isDeleted ? 404 : 200)
    secret = answer.body.data?.secret ?? secret
  }

  async function claim(count: number): Promise<void> {
    if (endpoint.isDeleted) return
    const more = await worker.claim(crm, count)
    model.begin(
      more.map(({ id }) => id),
      now(),
    )
    claimed = [...claimed, ...more]
  }

  /** Claims that expired meanwhile cannot be finished. */
  async function finishClaims(isSuccess: boolean): Promise<void> {
    const back = claimed
    claimed = []
    await worker.record(back, isSuccess)
    model.end(
      back.filter(({ id, attempts }) => deliveries.get(id)?.attempts === attempts).map(({ id }) => id),
      isSuccess,
      now(),
      await readFailures(),
    )
  }

  /** Runs only the jobs of deliveries, because retention by age would delete deliveries that the model still has. */
  async function runJobs(): Promise<void> {
    const { expiredClaims, deliveryRetention } = hub.context
    await expiredClaims.finishInterrupted()
    await expiredClaims.finishOfLostWorkers()
    await deliveryRetention.clearCanceled()
    await deliveryRetention.clearCanceled({ searchesAllEndpoints: true })
    await deliveryRetention.removeDeleted()
    model.runJobs(now())
  }

  const PERFORM: { [A in Act['act']]: (act: Extract<Act, { act: A }>) => Promise<void> } = {
    publish: ({ count }) => publish(count),
    deliver: ({ isUp, meanwhile }) => deliver(isUp, meanwhile),
    wait: ({ time }) => hub.clock.advance(time),
    runJobs,
    setStatus: ({ status }) => setStatus(status),
    replay: ({ pick }) => replayAny(pick),
    test,
    rotate,
    claim: ({ count }) => claim(count),
    finishClaims: ({ isSuccess }) => finishClaims(isSuccess),
    async outage({ rounds, isReactivated }) {
      for (let round = 0; round < rounds; round++) {
        await deliver(false, null)
        if (isReactivated) await setStatus('active')
        await hub.clock.advance('3 days')
        await compare()
      }
    },
  }

  /** Asserts that log and endpoint equal the model, and that final deliveries are unchanged. */
  async function compare(): Promise<void> {
    if (endpoint.isDeleted) {
      seen = new Map()
      await assert.rejects(hub.context.deliveryLog.listRecent(owner.organizationId, crm.id), { code: 'NOT_FOUND' })
      return
    }
    const log = await hub.context.deliveryLog.listRecent(owner.organizationId, crm.id)
    const listed = log.map(({ id, status, attempts }) => [id, status, attempts])
    const expected = [...deliveries].map(([id, { status, attempts }]) => [id, status, attempts])
    assert.deepEqual(listed.toSorted(), expected.toSorted())
    for (const delivery of log) {
      const before = seen.get(delivery.id)
      if (before && isFinal(before.status)) assert.deepEqual(delivery, before)
    }
    seen = new Map(log.map((delivery) => [delivery.id, delivery]))
    const shown = await hub.context.endpoints.get(owner.organizationId, crm.id)
    assert.deepEqual([shown.status, shown.consecutive_failures], [endpoint.status, endpoint.failures])
  }

  return {
    model,

    async perform(act: Act): Promise<void> {
      await (PERFORM[act.act] as (act: Act) => Promise<void>)(act)
      await compare()
    },

    /** Asserts that the audit log has every automatic pause, and clears the queue. */
    async end(): Promise<void> {
      receiver.letGo()
      await hub.sql`delete from delivery_queue where endpoint_id = ${crm.id}`
      const entries = await listAuditEntries(owner, crm.id)
      assert.equal(entries.filter(({ action }) => action === 'webhook.paused').length, endpoint.pauses)
    },
  }
}

function readIds(received: Received[]): string[] {
  return received.map(({ headers }) => String(headers['x-hub-delivery-id']))
}
