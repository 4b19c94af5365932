import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionLost } from '../kernel/db/driver/connection.ts'
import { explainError, explainFailedStart } from './explain-error.ts'

test('a start whose database is lost on the way is explained in sentences, without a stack', () => {
  const lost = new ConnectionLost('CONNECTION_CLOSED', 'Connection terminated unexpectedly')

  assert.equal(
    explainFailedStart(lost),
    'Cannot start: The database failed during the start (Connection terminated unexpectedly). Start the hub again when it is there.',
  )
})

test('any other error of a start, and a lost connection later, keep their stack', () => {
  const lost = new ConnectionLost('CONNECTION_CLOSED', 'Connection terminated unexpectedly')

  assert.match(explainFailedStart(new TypeError('x is not a function')), /TypeError: x is not a function\n +at /)
  assert.match(explainError(lost), /\n +at /)
})
