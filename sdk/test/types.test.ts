import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CompatLifecycle,
  type ErrorCode,
  type EventPayloads,
  type Hub,
  HubApiError,
  type HubEvent,
  type MessageEntry,
} from '../src/sdk.ts'
import { examples } from './examples.gen.ts'

/** The compiler is the test of these functions: `npm run check` fails if a line marked as an error is none. */
export async function refuseWrongCalls(hub: Hub): Promise<void> {
  // @ts-expect-error A message has the object that its type names.
  await hub.messages.send('c-1', { to: '5511987654321', type: 'text', image: { id: '1' } })
  // @ts-expect-error A file is named by its id or by a link, not by both.
  await hub.messages.send('c-1', { to: '5511987654321', type: 'image', image: { id: '1', link: 'https://a.example' } })
  // @ts-expect-error There is no such type of message.
  await hub.messages.send('c-1', { to: '5511987654321', type: 'fax', fax: {} })
  // @ts-expect-error An id is a text.
  await hub.channels.get(7)
  // @ts-expect-error A channel needs a name.
  await hub.channels.create({})
  // @ts-expect-error Creating a channel takes no key.
  await hub.channels.create({ name: 'x' }, { idempotencyKey: 'order-4711' })
  // @ts-expect-error There is no such scope.
  await hub.apiKeys.create({ name: 'x', scopes: ['everything'] })
  // @ts-expect-error There is no such direction.
  hub.messages.list('c-1', { direction: 'sideways' })
  // @ts-expect-error A listener is read with its secret.
  await hub.listeners.stream('l-1')
}

export function narrowErrors(err: HubApiError): number | string | undefined {
  if (err.is('QUOTA_EXCEEDED')) return err.details.limit
  if (err.is('SEND_RESULT_UNKNOWN')) return err.details.message_id
  const { code } = err
  // @ts-expect-error There is no such code.
  return err.is('OUT_OF_PAPER') ? 0 : code
}

/** `instanceof` must not give `any`, to which every line below would be right. */
export function narrowUnknown(err: unknown): number | undefined {
  if (!(err instanceof HubApiError)) return undefined
  const code: ErrorCode = err.code
  // @ts-expect-error A code is a text.
  const wrong: number = err.code
  // @ts-expect-error There is no such code.
  if (err.code === 'OUT_OF_PAPER') return wrong
  // @ts-expect-error Only some codes have this member.
  if (err.details.message_id) return code.length
  return err.is('QUOTA_EXCEEDED') ? err.details.limit : undefined
}

export function narrowEvents(event: HubEvent): string | null {
  switch (event.event) {
    case 'message.received':
      return event.data.message.from satisfies MessageEntry['from']
    case 'channel.connected':
      return event.data.channel.id
    case 'webhook.test':
      return event.data.webhook_id
    case undefined:
      if (event.event_type === undefined) return event.object
      return (event satisfies CompatLifecycle).event_type
    default:
      return event.channel_id
  }
}

test('each kind of event has members that narrow its type', () => {
  const raw: HubEvent = { object: 'whatsapp_business_account', entry: [] }

  assert.equal(narrowEvents(examples.MessageReceivedEvent), examples.MessageReceivedEvent.data.message.from)
  assert.equal(narrowEvents(examples.AccountUpdateEvent), examples.AccountUpdateEvent.channel_id)
  assert.equal(narrowEvents(examples.CompatLifecycle), 'channel_connected')
  assert.equal(narrowEvents(raw), 'whatsapp_business_account')
})

test('instanceof tells a refusal of the hub from other errors', { rules: ['sdk.error-types-follow-the-code'] }, () => {
  const details = { quota: 'channels', limit: 2, used: 2 }
  const refusal = new HubApiError({ code: 'QUOTA_EXCEEDED', message: 'x', status: 403, details })

  assert.equal(narrowUnknown(refusal), 2)
  assert.equal(narrowUnknown(new TypeError('x')), undefined)
})

/** The content of a message follows from its type, without a cast. */
export function readContent(message: MessageEntry): string | undefined {
  switch (message.type) {
    case 'text':
      return message.content?.body
    case 'image':
      if (!message.content) return undefined
      return 'id' in message.content ? (message.content.mime_type satisfies string | undefined) : message.content.link
    case 'location':
      return message.content?.latitude.toFixed(1)
    case 'contacts':
      return message.content?.[0]?.name?.formatted_name
    case 'interactive':
      return message.content?.button_reply?.title
    default:
      // @ts-expect-error The SDK does not know the members of other types.
      return message.content?.body
  }
}

export function readDetails({ data }: EventPayloads['message.status']): string | undefined {
  // @ts-expect-error A category is a text.
  const wrong: number | undefined = data.message.pricing?.category
  return data.statuses_detail?.errors?.[0]?.title ?? data.message.context?.id ?? String(wrong)
}

test('the type of a message narrows its content', { rules: ['sdk.type-narrows-content'] }, () => {
  const text = {
    ...examples.MessageReceivedEvent.data.message,
    type: 'text' as const,
    content: { body: 'Good morning' },
  }
  const image = { ...text, type: 'image' as const, content: { id: '1', mime_type: 'image/png' } }
  const linked = { ...text, type: 'image' as const, content: { link: 'https://a.example/1.png' } }

  assert.equal(readContent(text), 'Good morning')
  assert.equal(readContent(image), 'image/png')
  assert.equal(readContent(linked), 'https://a.example/1.png')
})
