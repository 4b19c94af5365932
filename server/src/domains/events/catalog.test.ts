import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_KIND_NAMES } from './catalog.ts'

test('the catalog has exactly the event kinds of the contract', {
  rules: ['event.kinds-can-be-subscribed-to', 'event.further-kinds-reach-normalized-only'],
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
