import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { History } from '../torture/checker.ts'
import { checkRestored } from './restored.ts'

const TIMES = { backup: { from: 100, at: 110 }, restored: 500, working: 600 }

const send = (key: string, at: number, id: string, kind = 'send') => ({
  kind,
  key,
  from: at - 1,
  at,
  status: 202,
  answer: { data: { message: { id, upstream_message_id: `w-${id}` } } },
})
const log = (from: number, ...ids: string[]) => ({
  kind: 'final log',
  from,
  at: from,
  answer: { data: { messages: ids.map((id) => ({ id, upstream_message_id: `w-${id}`, status: 'delivered' })) } },
})
const taken = (key: string) => ({ entry: 'message', isTaken: true, text: `tenant-1 ${key}` })
const report = (id: string, status: string, at: number) => ({
  entry: 'callback',
  status: 200,
  from: at - 1,
  at,
  updates: [{ id: `w-${id}`, status }],
})
const deliveries = (from: number, status: string) => ({
  kind: 'list deliveries',
  endpoint: 'e',
  from,
  answer: { data: { deliveries: [{ id: 'd', status }] } },
})
const arrival = (at: number) => ({ deliveryId: 'd', at })

/** One send before the backup, one after it, and a delivery that was open. */
const WHOLE: History = {
  calls: [
    send('a', 50, '1'),
    send('b', 200, '2'),
    log(510, '1'),
    { kind: 'show an endpoint', endpoint: 'e', from: 515, answer: { data: { webhook: { status: 'active' } } } },
    deliveries(520, 'pending'),
    send('a', 530, '1', 'final send'),
    send('b', 540, '3', 'final send'),
    { kind: 'try a key', from: 550, status: 200, isExpected: true },
    log(700, '1', '2', '3'),
    deliveries(710, 'succeeded'),
  ],
  upstream: [taken('a'), taken('b'), taken('b'), report('1', 'delivered', 60)],
  receivers: [arrival(90), arrival(650)],
}

test('a restored hub has what was answered before the backup, and none of what came after it', () => {
  const { problems, counts } = checkRestored(WHOLE, TIMES)

  assert.deepEqual(problems, [])
  assert.deepEqual(Object.values(counts), [1, 1, 1, 1, 1, 1, 1, 1, 1])
})

const FAULTS: Record<string, { history: Partial<History>; found: RegExp }> = {
  'a send that is not in the log': {
    history: { calls: [send('a', 50, '1'), log(510)], upstream: [taken('a')], receivers: [] },
    found: /a was answered 202 before the backup/,
  },
  'a status that has fallen back': {
    history: { upstream: [taken('a'), taken('b'), taken('b'), report('1', 'read', 60)] },
    found: /w-1 was reported \(read\) before the backup, and is delivered/,
  },
  'a key of before the backup that sends again': {
    history: { upstream: [taken('a'), taken('a'), taken('b'), taken('b')] },
    found: /a was sent before the backup, and a repeat is 202/,
  },
  'a send of after the backup in the log': {
    history: { calls: [...WHOLE.calls, log(515, '2')] },
    found: /1 sends after the backup are in the restored log/,
  },
  'a delivery without workers': {
    history: { receivers: [arrival(90), arrival(550)] },
    found: /1 deliveries were made before the workers began/,
  },
  'an open delivery that nobody attempts': {
    history: { receivers: [arrival(90)] },
    found: /a delivery that was open in the backup was not attempted/,
  },
  'a revoked key that is still refused': {
    history: { calls: [...WHOLE.calls, { kind: 'try a key', from: 560, status: 401, isExpected: true }] },
    found: /a key is answered 401/,
  },
}

for (const [name, { history, found }] of Object.entries(FAULTS)) {
  test(`${name} is found`, () => {
    const { problems } = checkRestored({ ...WHOLE, ...history }, TIMES)

    assert.match(problems.join('\n'), found)
  })
}
