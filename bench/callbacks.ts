import { createHmac } from 'node:crypto'
import { newId } from '../server/src/kernel/ids.ts'
import { APP } from './app.ts'
import type { BenchChannel } from './bench-hub.ts'
import type { Post } from './load-process.ts'

const PEOPLE = 1000

/** Signed callbacks to the channels in rotation, with new messages, one per change as the upstream sends them. */
export function buildCallbacks(channels: BenchChannel[], count: number, messagesEach: number): Post[] {
  return Array.from({ length: count }, (_, i) => {
    const { number } = channels[i % channels.length] as BenchChannel
    const changes = Array.from({ length: messagesEach }, (_, n) => buildChange(number, i * messagesEach + n))
    return buildCallback(number, changes)
  })
}

export function buildCallback({ wabaId }: BenchChannel['number'], changes: object[]): Post {
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: wabaId, changes }] })
  const signature = createHmac('sha256', APP.appSecret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
  return { path: '/hooks/upstream', headers, body }
}

/** Signed callbacks with one status each. Those with the same `round` are about the same messages, which the hub did not send. */
export function buildStatuses(channels: BenchChannel[], count: number, status: string, round: string): Post[] {
  return Array.from({ length: count }, (_, i) => {
    const { number } = channels[i % channels.length] as BenchChannel
    const { person, metadata, timestamp } = buildParts(number, i)
    const id = `wamid.${Buffer.from(`HBgN${person}${round}${i}`).toString('base64')}`
    const statuses = [{ id, status, timestamp, recipient_id: person, recipient_user_id: `BR.${person}` }]
    return buildCallback(number, [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata, statuses } }])
  })
}

/** A new message of one of a thousand people. */
export function buildChange(number: BenchChannel['number'], n: number, text = `Onde esta o pedido ${n}?`) {
  const { person, metadata, timestamp } = buildParts(number, n)
  const wamid = `wamid.${Buffer.from(`HBgN${person}${newId()}`).toString('base64')}`
  return {
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata,
      contacts: [{ profile: { name: 'Ana Souza' }, wa_id: person, user_id: `BR.${person}` }],
      messages: [{ from: person, id: wamid, timestamp, type: 'text', text: { body: text } }],
    },
  }
}

function buildParts({ phoneNumberId, display }: BenchChannel['number'], n: number) {
  return {
    person: String(5_511_900_000_000 + (n % PEOPLE)),
    metadata: { display_phone_number: display.replace(/\D/g, ''), phone_number_id: phoneNumberId },
    timestamp: String(Math.floor(Date.now() / 1000)),
  }
}
