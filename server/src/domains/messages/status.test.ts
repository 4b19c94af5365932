import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  applyReport,
  isReportedStatus,
  type MessageStatus,
  type OutboundStatus,
  type Progress,
  pickLaterStatus,
  type Report,
  type ReportedStatus,
} from './status.ts'

const ORDER: OutboundStatus[] = ['sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read']
const REPORTS: [ReportedStatus, OutboundStatus, keyof Progress][] = [
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

function toReport(status: ReportedStatus, more: Partial<Report> = {}): Report {
  return { status, at: at(0), error: null, pricing: null, ...more }
}

test('the later of two statuses in the order counts', { rules: ['message.status-never-falls-back'] }, () => {
  for (const [i, a] of ORDER.entries()) {
    for (const [j, b] of ORDER.entries()) assert.equal(pickLaterStatus(a, b), ORDER[Math.max(i, j)])
  }
})

for (const [report, status, time] of REPORTS) {
  test(`the report ${report} moves a message forward to ${status}, never back, and sets ${time}`, {
    rules: ['message.status-never-falls-back'],
  }, () => {
    for (const before of ORDER) {
      const after = applyReport(message(before), toReport(report))

      assert.equal(after?.status, pickLaterStatus(before, status))
      const isRefuted = report === 'failed' && (before === 'delivered' || before === 'read')
      assert.equal(after?.[time], isRefuted ? null : at(0))
    }
  })

  test(`the report ${report} is applied once`, () => {
    const once = applyReport(message('accepted'), toReport(report))

    assert.ok(once)
    assert.equal(applyReport(once, toReport(report, { at: at(-5), error: ERROR, pricing: {} })), undefined)
    for (const [other] of REPORTS) assert.equal(applyReport(once, toReport(other)) === undefined, other === report)
  })

  test(`the report ${report} does not change an inbound message`, () => {
    assert.equal(applyReport(message('received'), toReport(report)), undefined)
  })
}

test('the earlier time of read and played counts', () => {
  const read = applyReport(message('sent'), toReport('read', { at: at(5) }))

  const played = applyReport(read ?? message('sent'), toReport('played', { at: at(3) }))
  const late = applyReport(read ?? message('sent'), toReport('played', { at: at(9) }))

  assert.deepEqual([played?.read_at, late?.read_at], [at(3), at(5)])
})

test('the error of a failure stays until the message arrives', {
  rules: ['message.arrived-one-has-no-failure'],
}, () => {
  const failed = applyReport(
    message('accepted', { error: { ...ERROR, code: 1 } }),
    toReport('failed', { error: ERROR }),
  )

  const sent = applyReport(failed ?? message('sent'), toReport('sent'))
  const delivered = applyReport(sent ?? message('sent'), toReport('delivered'))

  assert.deepEqual([failed?.error, sent?.error, delivered?.error], [ERROR, ERROR, null])
  assert.deepEqual([failed?.failed_at, sent?.failed_at, delivered?.failed_at], [at(0), at(0), null])
})

test('the first pricing stays', () => {
  const sent = applyReport(message('accepted'), toReport('sent', { pricing: { a: 1 } }))

  const delivered = applyReport(sent ?? message('sent'), toReport('delivered', { pricing: { a: 2 } }))
  const read = applyReport(delivered ?? message('sent'), toReport('read'))

  assert.deepEqual([delivered?.pricing, read?.pricing], [{ a: 1 }, { a: 1 }])
})

test('names of inherited properties and statuses of the hub are not reported statuses', () => {
  for (const name of ['constructor', '__proto__', 'toString', '', 'SENT', 'accepted', 'sending', 'unknown']) {
    assert.equal(isReportedStatus(name), false, name)
  }
  for (const [report] of REPORTS) assert.ok(isReportedStatus(report))
})

test('a message ends up the same in any order of its reports, with any repeats', () => {
  const reports = REPORTS.map(([report], i) =>
    toReport(report, { at: at(i), error: report === 'failed' ? ERROR : null }),
  )
  const applyAll = (order: Report[]) => order.reduce((now, one) => applyReport(now, one) ?? now, message('accepted'))
  const disorder = fc
    .subarray(reports)
    .chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray([...some, ...some], { minLength: some.length * 2 })),
    )

  fc.assert(
    fc.property(disorder, ([ordered, shuffled]) => {
      assert.deepEqual(applyAll(shuffled), applyAll(ordered))
    }),
    { numRuns: 2000 },
  )
})
