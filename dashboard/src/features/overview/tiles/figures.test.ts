import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeFailedShare } from './figures.ts'

const figure = (total: number) => ({ total, previous_total: 0, series: [] })

function share({ sent = 0, refused = 0, failed = 0 }): number | undefined {
  const [none, messages] = [figure(0), { sent: figure(sent), refused: figure(refused), failed: figure(failed) }]
  return computeFailedShare({ ...messages, delivered: none, read: none, received: none })
}

test('the share of failures counts each message once, whether it failed before or after it was sent', () => {
  assert.equal(share({ sent: 3, failed: 1 }), 1 / 3)
  assert.equal(share({ sent: 2, refused: 1, failed: 1 }), 1 / 3)
  assert.equal(share({ sent: 3, refused: 1, failed: 2 }), 1 / 2)
  assert.equal(share({ refused: 2, failed: 2 }), 1)
  assert.equal(share({}), undefined)
})
