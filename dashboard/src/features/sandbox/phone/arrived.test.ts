import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatMessage, MessageEntry } from '@hubline/sdk/console'
import { listArrived } from './arrived.ts'

function chat(id: string, status: ChatMessage['status'], more: Partial<ChatMessage> = {}): ChatMessage {
  return { id, status, from: 'business', type: 'text', ...more } as ChatMessage
}

test('a phone has what its customer wrote and what was delivered to it, and nothing that failed or is on its way', () => {
  const messages = [
    chat('written', 'delivered', { from: 'customer' }),
    chat('accepted', 'accepted'),
    chat('sent', 'sent'),
    chat('failed', 'failed'),
    chat('delivered', 'delivered'),
    chat('read', 'read'),
    chat('reaction', 'sent', { type: 'reaction' }),
    chat('failed-reaction', 'failed', { type: 'reaction' }),
  ]

  const arrived = listArrived(messages, [])

  assert.deepEqual(
    arrived.map(({ id }) => id),
    ['written', 'delivered', 'read', 'reaction'],
  )
})

test('a message of the business has the status that the log has, and one of the customer its own', () => {
  const messages = [chat('a', 'read'), chat('b', 'delivered', { from: 'customer' })]
  const log = [
    { upstream_message_id: 'a', status: 'sent' },
    { upstream_message_id: 'b', status: 'received' },
  ] as MessageEntry[]

  const arrived = listArrived(messages, log)

  assert.deepEqual(
    arrived.map(({ status }) => status),
    ['sent', 'delivered'],
  )
})
