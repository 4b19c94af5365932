import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hub, type MessageEntry } from '@hubline/sdk'
import { DemoError } from './demo-error.ts'
import { type HubProgram, runAdmin, startHubProgram } from './hub-program.ts'
import type { Narrator } from './narrator.ts'
import { signUp, writeAsCustomer } from './people.ts'
import { type Arrival, type DemoReceiver, startReceiver } from './receiver.ts'
import { waitFor } from './waiting.ts'

const CUSTOMER = '5511987654321'

type Stage = { narrator: Narrator; signal: AbortSignal }
type Scene = Stage & {
  program: HubProgram
  hub: Hub
  receiver: DemoReceiver
  channelId: string
  webhookId: string
  customerWrites: (text: string) => Promise<void>
}

/** Tells the story step by step. All that it starts is in `opened`. */
export async function tellStory({ narrator, opened, signal }: Stage & { opened: AsyncDisposableStack }): Promise<void> {
  const stage = { narrator, signal }
  narrator.step('Start a hub', 'One process with its own PostgreSQL, and a simulator that stands in for WhatsApp.')
  const directory = await createDirectory(opened)
  const receiver = opened.use(await startReceiver())
  const program = opened.use(await startHubProgram(directory, { allowed: receiver.destination, signal }))
  narrator.show('Hub', program.url)
  narrator.show('Simulator', program.simulatorUrl)
  narrator.show('Data', directory)

  const hub = await createOrganization(stage, program, directory)
  const { channelId, phoneNumberId } = await connectNumber(stage, program, hub)
  const webhookId = await createWebhook(stage, hub, receiver)
  const customerWrites = (text: string) => writeAsCustomer(program, { from: CUSTOMER, to: phoneNumberId, text }, signal)
  const scene = { ...stage, program, hub, receiver, channelId, webhookId, customerWrites }
  await receiveMessage(scene)
  await answerCustomer(scene)
  const failed = await failAndRetry(scene)
  await replay(scene, failed)
}

async function createDirectory(opened: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-demo-')).catch((err) => {
    throw new DemoError(`There is no temporary directory: ${err.message}`)
  })
  opened.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  // If root runs the demo, the database's account must be able to enter, or the database is created elsewhere.
  await chmod(directory, 0o755)
  return directory
}

async function createOrganization({ narrator }: Stage, program: HubProgram, directory: string): Promise<Hub> {
  narrator.step('Create an organization', 'The operator does this once for each tenant. Its API key is shown once.')
  const args = ['create-organization', '--name', 'Acme']
  const options = { cwd: directory, env: program.env }
  const { organization_id, api_key } = await runAdmin<{ organization_id: string; api_key: string }>(args, options)
  narrator.show('Organization', organization_id)
  narrator.show('API key', `${api_key.slice(0, 12)}…`)
  return new Hub({ url: program.url, credential: api_key })
}

async function connectNumber({ narrator, signal }: Stage, program: HubProgram, hub: Hub) {
  narrator.step('Create a channel', 'A channel is one business number. It has no number until a person connects one.')
  const { channel } = await hub.channels.create({ name: 'Padaria' }, { signal })
  narrator.show('Channel', `${channel.id}, ${channel.status}`)

  narrator.step('Connect a number', 'The owner of the number opens a link that works once, and signs up there.')
  const { connect_url } = await hub.channels.createConnectLink(channel.id, {}, { signal })
  narrator.show('Link', `${connect_url.slice(0, -24)}…`)
  await signUp(program, connect_url, signal)
  const connected = (await hub.channels.get(channel.id, { signal })).channel
  if (connected.status !== 'active' || !connected.phone_number_id) {
    throw new DemoError(`The channel is ${connected.status} after the sign-up, not active.`)
  }
  narrator.done(`Connected: ${connected.display_phone_number}, ${connected.verified_name}, ${connected.status}`)
  return { channelId: channel.id, phoneNumberId: connected.phone_number_id }
}

async function createWebhook({ narrator, signal }: Stage, hub: Hub, receiver: DemoReceiver): Promise<string> {
  narrator.step('Create a webhook', 'The hub will post events to this receiver, signed with a secret that both know.')
  const { webhook, secret } = await hub.webhooks.create(
    { name: 'Receiver', url: receiver.url, event_types: ['message.received', 'message.status'] },
    { signal },
  )
  receiver.trust(secret)
  narrator.show('Webhook', `${webhook.id} to ${webhook.url}`)
  narrator.show('Secret', `${secret.slice(0, 9)}…`)
  return webhook.id
}

async function receiveMessage({ narrator, signal, receiver, customerWrites }: Scene): Promise<void> {
  narrator.step(
    'The customer writes',
    'The hub stores the message before it tells WhatsApp that it has it, then posts it.',
  )
  await customerWrites('Do you have bread?')
  const { event, deliveryId } = await waitFor('the webhook of the message', signal, () =>
    receiver.arrivals.find((arrival) => findMessage(arrival, 'message.received') !== undefined),
  )
  narrator.show('Webhook', `${event?.event}, delivery ${deliveryId}`)
  narrator.done("The signature is right: the SDK's verifyWebhook returned the event.")
}

async function answerCustomer({ narrator, signal, hub, receiver, channelId }: Scene): Promise<void> {
  narrator.step('Answer', 'The program sends with the SDK. The same key twice is the same message: it is sent once.')
  const body = { to: CUSTOMER, type: 'text', text: { body: 'Yes, fresh from the oven.' } } as const
  const options = { idempotencyKey: 'answer-to-the-first-customer', signal }
  const { message } = await hub.messages.send(channelId, body, options)
  const again = await hub.messages.send(channelId, body, options)
  if (again.message.id !== message.id) throw new DemoError('The same key has sent two messages.')
  narrator.show('Message', `${message.id}, ${message.status}`)
  narrator.done('Sent again with the same key: the hub answered with the same message, and sent nothing.')

  narrator.step('Statuses', 'WhatsApp reports what becomes of the message, and the receiver gets each report.')
  const entry = await waitFor('the message to be read', signal, async () => {
    const entries = await hub.messages.list(channelId, { direction: 'outbound' }, { signal }).toArray()
    return entries.find(({ id, status }) => id === message.id && status === 'read')
  })
  for (const status of ['sent', 'delivered', 'read'] as const) {
    await waitFor(`the webhook of the status ${status}`, signal, () =>
      receiver.arrivals.find((arrival) => findMessage(arrival, 'message.status')?.status === status),
    )
    narrator.show(status, String(entry[`${status}_at`]))
  }
}

/** Returns the id of the delivery that failed and was repeated. */
async function failAndRetry(scene: Scene): Promise<string> {
  const { narrator, signal, hub, receiver, webhookId, customerWrites } = scene
  narrator.step('The receiver fails', 'It answers 500 from now on, and the customer writes again. Nothing is lost.')
  receiver.break()
  await customerWrites('And cake?')
  const { deliveryId } = await waitFor('the failing attempt', signal, () =>
    receiver.arrivals.find(({ status }) => status === 500),
  )
  receiver.fix()
  const { delivery, attempts } = await waitFor('the log of the failing attempt', signal, async () => {
    const found = await hub.webhooks.getDelivery(webhookId, deliveryId, { signal })
    return found.attempts.some(({ number }) => number === 1) ? found : undefined
  })
  const first = attempts.find(({ number }) => number === 1)
  narrator.fail(`Attempt 1: ${first?.error_code} at ${first?.ended_at}`)
  narrator.show('Next attempt', `${delivery.next_attempt_at}, then after 1 min, 5 min, 30 min … for about four days`)

  narrator.step('The retry', 'The receiver is fixed. The hub repeats the delivery by itself, at the time in its log.')
  const retried = await waitFor('the retry to succeed', signal, async () => {
    const { delivery } = await hub.webhooks.getDelivery(webhookId, deliveryId, { signal })
    return delivery.status === 'succeeded' ? delivery : undefined
  })
  narrator.done(`Attempt ${retried.attempts}: ${retried.status} at ${retried.delivered_at}`)
  return deliveryId
}

async function replay({ narrator, signal, hub, receiver, webhookId }: Scene, deliveryId: string): Promise<void> {
  narrator.step('A replay', 'Any finished delivery can be sent again: a new delivery of the same event.')
  const replayed = await hub.webhooks.replayDelivery(webhookId, deliveryId, { signal })
  const arrival = await waitFor('the replay', signal, () =>
    receiver.arrivals.find((one) => one.deliveryId === replayed.delivery_id && one.status === 204),
  )
  narrator.show('Event', `${replayed.event_id}, as before`)
  narrator.show('Delivery', `${replayed.delivery_id}, new`)
  narrator.done(`The receiver has it again, verified: "${readText(findMessage(arrival, 'message.received'))}"`)
}

function findMessage({ event }: Arrival, kind: 'message.received' | 'message.status'): MessageEntry | undefined {
  return event?.event === kind ? event.data.message : undefined
}

function readText(message: MessageEntry | undefined): string {
  return String((message?.content as { body?: string } | undefined)?.body)
}
