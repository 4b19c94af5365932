import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ReportedStatus } from '../status.ts'
import { apply, type InboundUpdate, type Row, type StatusUpdate, type WrittenMessage } from './apply.ts'

const STATUSES: ReportedStatus[] = ['sent', 'delivered', 'read', 'played', 'failed']
const ERROR = { code: 131026, title: 'Undeliverable', details: 'x' }
const BASE = { organizationId: 'o', channelId: 'c', wamid: 'wamid.1', from: '55110', to: '55119' }

function at(seconds: number): string {
  return new Date(1_790_000_000_000 + seconds * 1000).toISOString()
}

function written(kind: WrittenMessage['kind'], more: Partial<WrittenMessage> = {}): WrittenMessage {
  const own = { kind, type: 'text', content: { body: 'x' }, context: null, error: null }
  return { ...BASE, at: at(10), contact: null, ...own, ...more }
}

function reported(status: ReportedStatus, more: Partial<StatusUpdate> = {}): StatusUpdate {
  const time = at(20 + STATUSES.indexOf(status))
  const report = { status, at: time, error: status === 'failed' ? ERROR : null, pricing: null }
  return {
    ...BASE,
    kind: 'status',
    at: time,
    contact: null,
    callbackData: null,
    participant: null,
    isOfGroup: false,
    detail: { status },
    report,
    ...more,
  }
}

function sentRow(status: Row['status']): Row {
  const names = {
    organization_id: 'o',
    channel_id: 'c',
    id: 'hub',
    upstream_message_id: status === 'unknown' ? null : 'wamid.1',
  }
  const times = { created_at: at(0), sent_at: null, delivered_at: null, read_at: null, failed_at: null }
  return {
    ...names,
    ...times,
    direction: 'outbound',
    type: 'text',
    status,
    sender: '55110',
    recipient: '55119',
    contact: null,
    contact_id: null,
    content: { body: 'x' },
    context: null,
    error: null,
    pricing: null,
    statuses_seen: 0,
  }
}

/** Applies updates in order, and returns the row and the events. */
function run(updates: InboundUpdate[], before?: Row) {
  let row = before
  const events: string[] = []
  for (const update of updates) {
    const step = apply(row, update, row?.id ?? 'new')
    row = step?.row ?? row
    for (const event of step?.events ?? []) events.push(`${event.kind} ${readDetail(event)}`)
  }
  return { row, events: events.sort() }
}

function readDetail(event: object): string {
  const { data } = event as { data: { statuses_detail?: { status: string } } }
  return data.statuses_detail?.status ?? ''
}

/** A list of updates, and the same updates shuffled and with repeats. */
function withShuffled<T>(updates: fc.Arbitrary<T[]>): fc.Arbitrary<[T[], T[]]> {
  return updates
    .chain((ordered) =>
      fc.tuple(
        fc.constant(ordered),
        fc.tuple(fc.shuffledSubarray(ordered, { minLength: ordered.length }), fc.subarray(ordered)),
      ),
    )
    .chain(([ordered, [all, again]]) =>
      fc.tuple(fc.constant(ordered), fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length })),
    )
}

const contacts = fc.constantFrom(
  null,
  { name: 'Ana', user_id: null },
  { name: null, user_id: 'BR.1' },
  { name: 'Ana', user_id: 'BR.1' },
  { name: null, user_id: 'BR.1', parent_user_id: 'BR.ENT.1' },
)
const times = fc.nat(30).map(at)
const prices = fc.constantFrom(null, { category: 'service' })
const reports = fc
  .tuple(fc.subarray(STATUSES), fc.array(fc.tuple(times, contacts, prices), { minLength: 5, maxLength: 5 }))
  .map(([statuses, facts]) =>
    statuses.map((status, i) => {
      const [time, contact, pricing] = facts[i]!
      const plain = reported(status)
      return reported(status, { at: time, contact, report: { ...plain.report, at: time, pricing } })
    }),
  )
const echoes = fc
  .tuple(times, contacts, fc.constantFrom(null, '55119'), fc.constantFrom(null, { ...ERROR, code: 131060 }))
  .map(([time, contact, to, error]) => written('echo', { at: time, contact, to, error }))

function assertConverges(updates: fc.Arbitrary<InboundUpdate[]>, before?: Row): void {
  fc.assert(
    fc.property(withShuffled(updates), ([ordered, shuffled]) => {
      assert.deepEqual(run(shuffled, before), run(ordered, before))
    }),
    { numRuns: 3000 },
  )
}

test('statuses of an unknown message make the same row and events in any order', () => {
  assertConverges(reports)
})

test('an echo and its statuses make the same row and events in any order', () => {
  assertConverges(fc.tuple(echoes, reports).map(([echo, statuses]) => [echo, ...statuses]))
})

for (const status of ['accepted', 'sending', 'unknown'] as const) {
  test(`statuses of a ${status} message make the same row and events in any order`, () => {
    assertConverges(reports, sentRow(status))
  })
}

test('each status and each echo makes one event, and a status that settles a send also message.sent', () => {
  const all = STATUSES.map((status) => reported(status))
  const events = STATUSES.map((status) => `message.status ${status}`).sort()

  assert.deepEqual(run([...all, ...all]).events, events)
  assert.deepEqual(run([...all, written('echo'), written('echo')]).events, ['message.echo ', ...events])
  assert.deepEqual(run([...all, ...all], sentRow('unknown')).events, ['message.sent ', ...events])
  assert.deepEqual(run(all, sentRow('accepted')).events, events)
})

test("a status settles a send with an unknown outcome and sets the upstream's id", () => {
  const { row } = run([reported('delivered')], sentRow('unknown'))

  assert.deepEqual([row?.id, row?.status, row?.upstream_message_id], ['hub', 'delivered', 'wamid.1'])
  assert.deepEqual(row?.content, { body: 'x' })
})

test('an inbound message ignores statuses with its id, before and after it, and keeps its own id', () => {
  const statuses = STATUSES.map((status) => reported(status))
  const message = written('received', { contact: { name: 'Ana', user_id: null }, to: null })

  const alone = run([message]).row
  const first = run([message, ...statuses]).row
  const last = run([...statuses, message, message]).row

  assert.deepEqual([alone?.direction, alone?.status, alone?.read_at], ['inbound', 'received', null])
  assert.deepEqual([first, last], [alone, alone])
})

test('an echo fills a placeholder once', () => {
  const placeholder = apply(undefined, reported('sent'), 'new')
  const filled = apply(placeholder?.row, written('echo'), 'other')

  assert.deepEqual([placeholder?.isFilled, placeholder?.row.type], [false, 'unknown'])
  assert.deepEqual([filled?.isFilled, filled?.row.type, filled?.row.id], [true, 'text', 'new'])
  assert.equal(apply(filled?.row, written('echo'), 'other'), undefined)
  assert.equal(apply(undefined, written('echo'), 'new')?.isFilled, false)
})
