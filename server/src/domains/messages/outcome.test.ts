import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildLocalRefusal, type FailureKind } from '../../upstream/http/errors.ts'
import { type FailedOutcome, toMessageError, toOutcome } from './outcome.ts'

const FAILURE = buildLocalRefusal('No')

const OUTCOMES: [FailureKind, isCredentialRefused: boolean, FailedOutcome][] = [
  ['refused', false, 'refused'],
  ['refused', true, 'released'],
  ['limited', false, 'released'],
  ['unavailable', false, 'released'],
  ['unknown-outcome', false, 'unknown'],
]

test('only a refusal of the message holds for good, and only what is certainly not sent frees the key', () => {
  for (const [kind, isCredentialRefused, outcome] of OUTCOMES) {
    assert.equal(toOutcome({ ...FAILURE, kind, isCredentialRefused }), outcome, `${kind} ${isCredentialRefused}`)
  }
})

test('what is kept of a failure is what a replay must say, and an upstream that was not reached is called so', () => {
  const said = { ...FAILURE, code: 1, details: 'd', error_subcode: 2, fbtrace_id: 'A', status: 400, type: 'T' }

  assert.deepEqual(toMessageError(said), { code: 1, title: 'No', details: 'd', error_subcode: 2, fbtrace_id: 'A' })
  assert.equal(
    toMessageError({ ...FAILURE, title: null, kind: 'unavailable' }).title,
    'The upstream could not be reached',
  )
  assert.equal(toMessageError({ ...FAILURE, title: null }).title, null)
})
