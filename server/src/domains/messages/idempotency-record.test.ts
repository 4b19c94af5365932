import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../kernel/errors.ts'
import { type SendResult, toAcceptedMessage, toSendResult } from './idempotency-record.ts'

const ASKED = { channelId: 'the channel', bodyHash: Buffer.from('same') }
const ERROR = { code: 131009, title: 'No', details: 'Because', error_subcode: 7, fbtrace_id: 'A' }
const REPORTED = { code: 131047, title: 'Late', details: null }
const HELD = {
  body_hash: Buffer.from('same'),
  message_id: 'the message',
  type: 'text',
  recipient: '5511900000000',
  created_at: '2026-11-15T12:00:00.000Z',
  upstream_message_id: null,
  error: null,
  is_under_way: false,
}
const DROPPED = { type: null, recipient: null, created_at: null, status: null }
const NAMED = { upstream_message_id: 'wamid' }

type Holder = Parameters<typeof toSendResult>[0]

const CASES: [what: string, Partial<Holder> & { status: string | null }, SendResult['kind']][] = [
  ['is being sent', { status: 'sending', is_under_way: true }, 'under-way'],
  ['was being sent when its lease ran out', { status: 'sending' }, 'unknown'],
  ['nobody knows of', { status: 'unknown' }, 'unknown'],
  ['was accepted', { status: 'accepted', ...NAMED }, 'accepted'],
  ['was delivered', { status: 'delivered', ...NAMED }, 'accepted'],
  ['was accepted and failed afterwards', { status: 'failed', ...NAMED, error: REPORTED }, 'accepted'],
  ['was accepted while its row says under way', { status: 'accepted', ...NAMED, is_under_way: true }, 'accepted'],
  ['was refused', { status: 'failed', error: ERROR }, 'refused'],
  ['has no line in the log any more', DROPPED, 'unknown'],
]

for (const [what, holder, kind] of CASES) {
  test(`the key of a send that ${what} answers: ${kind}`, () => {
    assert.equal(toSendResult({ ...HELD, ...holder }, ASKED).kind, kind)
  })

  test(`another body under the key of a send that ${what} is refused as such`, () => {
    const answer = toSendResult({ ...HELD, ...holder, body_hash: Buffer.from('other') }, ASKED)

    assert.deepEqual(answer, { kind: 'other-body' })
  })
}

function errorIn(answer: SendResult) {
  try {
    toAcceptedMessage(answer)
  } catch (err) {
    if (err instanceof AppError) return { status: err.status, code: err.code, details: err.details }
  }
  return undefined
}

test('each answer has its status, its code and its details', { rules: ['MSE-17'] }, () => {
  assert.deepEqual(errorIn({ kind: 'refused', error: ERROR }), {
    status: 400,
    code: 'UPSTREAM_REJECTED',
    details: { code: 131009, error_subcode: 7, title: 'No', details: 'Because', fbtrace_id: 'A' },
  })
  assert.deepEqual(errorIn({ kind: 'refused', error: REPORTED })?.details, {
    ...{ code: 131047, error_subcode: null, title: 'Late', details: null, fbtrace_id: null },
  })
  assert.deepEqual(errorIn({ kind: 'under-way' }), { status: 409, code: 'OPERATION_IN_PROGRESS', details: null })
  assert.deepEqual(errorIn({ kind: 'unknown', messageId: 'm' }), {
    status: 409,
    code: 'SEND_RESULT_UNKNOWN',
    details: { message_id: 'm' },
  })
  assert.deepEqual(errorIn({ kind: 'other-body' }), { status: 400, code: 'IDEMPOTENCY_KEY_REUSED', details: null })
})

test('an accepted send is answered as it was the first time, whatever has become of it', () => {
  const answer = toSendResult({ ...HELD, status: 'read', ...NAMED }, ASKED)

  assert.deepEqual(toAcceptedMessage(answer), {
    id: 'the message',
    channel_id: 'the channel',
    status: 'accepted',
    to: '5511900000000',
    type: 'text',
    upstream_message_id: 'wamid',
    created_at: '2026-11-15T12:00:00.000Z',
  })
})
