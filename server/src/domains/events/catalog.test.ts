import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_KIND_NAMES } from './catalog.ts'

test('the catalog has exactly the event kinds of the contract', {
  rules: [
    'EVT-01',
    'EVT-02',
    'EVT-03',
    'EVT-04',
    'EVT-05',
    'EVT-06',
    'EVT-07',
    'EVT-08',
    'EVT-09',
    'EVT-10',
    'EVT-11',
    'EVT-12',
    'EVT-13',
    'PLD-01',
    'KND-01',
  ],
}, () => {
  assert.deepEqual(EVENT_KIND_NAMES, [
    'channel.created',
    'channel.connected',
    'channel.degraded',
    'channel.disconnected',
    'message.received',
    'message.sent',
    'message.status',
    'message.echo',
    'message.edited',
    'message.revoked',
    'payment.status',
    'contact.preferences',
    'contact.changed',
    'contact.synced',
    'call.received',
    'call.status',
    'group.changed',
    'flow.status',
    'history.message',
    'template.status',
    'phone.quality',
    'account.update',
    'endpoint.paused',
    'cost.budget_reached',
    'upstream.raw',
    'webhook.test',
  ])
})
