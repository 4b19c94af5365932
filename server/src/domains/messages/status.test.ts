import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  applyReport,
  isReportedStatus,
  type MessageStatus,
  type OutboundStatus,
  type Progress,
  type Report,
  type ReportedStatus,
  toHigherStatus,
} from './status.ts'

const LADDER: OutboundStatus[] = ['sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read']
const WORDS: [ReportedStatus, OutboundStatus, keyof Progress][] = [
  ['sent', 'sent', 'sent_at'],
  ['delivered', 'delivered', 'delivered_at'],
  ['read', 'read', 'read_at'],
  ['played', 'read', 'read_at'],
  ['failed', 'failed', 'failed_at'],
]
const ERROR = { code: 131026, title: 'Undeliverable', details: null }

function at(seconds: number): string {
  return new Date(1_790_000_000_000 + seconds * 1000).toISOString()
}

function message(status: MessageStatus, more: Partial<Progress> = {}): Progress {
  const times = { sent_at: null, delivered_at: null, read_at: null, failed_at: null }
  return { status, statuses_seen: 0, error: null, pricing: null, ...times, ...more }
}

function report(status: ReportedStatus, more: Partial<Report> = {}): Report {
  return { status, at: at(0), error: null, pricing: null, ...more }
}

test('of two steps of the ladder the later one counts', { rules: ['D7-20'] }, () => {
  for (const [i, a] of LADDER.entries()) {
    for (const [j, b] of LADDER.entries()) assert.equal(toHigherStatus(a, b), LADDER[Math.max(i, j)])
  }
})

for (const [word, step, time] of WORDS) {
  test(`${word} lifts a message to ${step}, never takes it down, and sets ${time}`, { rules: ['D7-20'] }, () => {
    for (const before of LADDER) {
      const after = applyReport(message(before), report(word))

      assert.equal(after?.status, toHigherStatus(before, step))
      assert.equal(after?.[time], at(0))
    }
  })

  test(`${word} is heard once`, () => {
    const once = applyReport(message('accepted'), report(word))

    assert.ok(once)
    assert.equal(applyReport(once, report(word, { at: at(-5), error: ERROR, pricing: {} })), undefined)
    for (const [other] of WORDS) assert.equal(applyReport(once, report(other)) === undefined, other === word)
  })

  test(`${word} says nothing about a message that was received`, () => {
    assert.equal(applyReport(message('received'), report(word)), undefined)
  })
}

test('of read and played the earlier time counts', () => {
  const read = applyReport(message('sent'), report('read', { at: at(5) }))

  const played = applyReport(read ?? message('sent'), report('played', { at: at(3) }))
  const late = applyReport(read ?? message('sent'), report('played', { at: at(9) }))

  assert.deepEqual([played?.read_at, late?.read_at], [at(3), at(5)])
})

test('an error comes with the report that has one, and stays', () => {
  const failed = applyReport(message('sent', { error: { ...ERROR, code: 1 } }), report('failed', { error: ERROR }))

  const delivered = applyReport(failed ?? message('sent'), report('delivered'))

  assert.deepEqual([failed?.error, delivered?.error], [ERROR, ERROR])
})

test('the first price stays', () => {
  const sent = applyReport(message('accepted'), report('sent', { pricing: { a: 1 } }))

  const delivered = applyReport(sent ?? message('sent'), report('delivered', { pricing: { a: 2 } }))
  const read = applyReport(delivered ?? message('sent'), report('read'))

  assert.deepEqual([delivered?.pricing, read?.pricing], [{ a: 1 }, { a: 1 }])
})

test('what every object has is no status', () => {
  for (const word of ['constructor', '__proto__', 'toString', '', 'SENT', 'accepted', 'sending', 'unknown']) {
    assert.equal(isReportedStatus(word), false, word)
  }
  for (const [word] of WORDS) assert.ok(isReportedStatus(word))
})

test('in whatever order the reports of a message come, and however often, it ends up the same', () => {
  const reports = WORDS.map(([word], i) => report(word, { at: at(i), error: word === 'failed' ? ERROR : null }))
  const heard = (order: Report[]) => order.reduce((now, one) => applyReport(now, one) ?? now, message('accepted'))
  const disorder = fc
    .subarray(reports)
    .chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray([...some, ...some], { minLength: some.length * 2 })),
    )

  fc.assert(
    fc.property(disorder, ([ordered, shuffled]) => {
      assert.deepEqual(heard(shuffled), heard(ordered))
    }),
    { numRuns: 2000 },
  )
})
