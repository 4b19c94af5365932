import type { Hub } from '@hubline/sdk'
import type { Arguments, Command, Io } from '../command.ts'
import { readText, wrongChoice } from '../command.ts'
import { CliError, usageError } from '../exit-codes.ts'
import { readJsonOption } from '../json-option.ts'
import { findChannelId } from '../names.ts'
import { explainFailure } from '../probes.ts'
import { normalizeUrl } from '../settings.ts'
import { toSentence } from '../terminal.ts'

const SIMULATOR_URL = 'http://127.0.0.1:8081'
const CUSTOMER = '5511999990000'
const TIMEOUT_MS = 10_000
const NUMBER = /^[1-9]\d{6,14}$/

type NumberOfChannel = { phoneNumberId: string; wabaId: string }
type Input = NumberOfChannel & {
  customer: string
  givenCustomer: string | undefined
  value: string | undefined
  message: Record<string, unknown>
  findSent: () => Promise<string>
}
type Request = { method: string; path: string; body?: object }

/** Cases that are rare in a test account, which the simulator plays by their names. */
const SCENARIOS = [
  'username-only',
  'marketing-stop',
  'category-changed',
  'throughput-upgrade',
  'ninth-digit',
  'coexistence-history',
  'payment-failed',
]

/** Maps each event to the request that makes the simulator cause it. */
const TRIGGERS: Record<string, (input: Input) => Request | Promise<Request>> = {
  'message.received': ({ phoneNumberId, customer, message }) => ({
    method: 'POST',
    path: `/contacts/${customer}/messages`,
    body: { type: 'text', ...message, to: phoneNumberId },
  }),
  'message.status': async ({ findSent, value = 'read' }) => ({
    method: 'POST',
    path: `/messages/${encodeURIComponent(await findSent())}/status`,
    body: { status: value },
  }),
  'message.echo': ({ phoneNumberId, customer, message }) => ({
    method: 'POST',
    path: `/numbers/${encodeURIComponent(phoneNumberId)}/echoes`,
    body: { type: 'text', ...message, to: customer },
  }),
  'phone.quality': ({ phoneNumberId, value = 'YELLOW' }) => ({
    method: 'PATCH',
    path: `/numbers/${encodeURIComponent(phoneNumberId)}`,
    body: { quality: value },
  }),
  'account.update': ({ wabaId, value = 'violate' }) => ({
    method: 'POST',
    path: `/accounts/${encodeURIComponent(wabaId)}/events`,
    body: { event: value },
  }),
  'contact.preferences': ({ phoneNumberId, customer, value = 'stop' }) => ({
    method: 'POST',
    path: `/contacts/${customer}/preferences`,
    body: { to: phoneNumberId, value },
  }),
  'call.received': ({ phoneNumberId, customer }) => ({
    method: 'POST',
    path: `/contacts/${customer}/calls`,
    body: { to: phoneNumberId },
  }),
  'group.changed': ({ phoneNumberId, value = 'group_create' }) => ({
    method: 'POST',
    path: `/numbers/${encodeURIComponent(phoneNumberId)}/groups`,
    body: { type: value },
  }),
  'payment.status': async ({ findSent, value = 'captured' }) => ({
    method: 'POST',
    path: `/messages/${encodeURIComponent(await findSent())}/payment`,
    body: { status: value },
  }),
  ...Object.fromEntries(SCENARIOS.map((name) => [name, (input: Input) => toScenario(name, input)])),
}

function toScenario(name: string, { phoneNumberId, givenCustomer }: Input): Request {
  const body = { to: phoneNumberId, ...(givenCustomer !== undefined && { customer: givenCustomer }) }
  return { method: 'POST', path: `/scenarios/${name}`, body }
}

const EVENTS = Object.keys(TRIGGERS).filter((name) => !SCENARIOS.includes(name))

export const trigger: Command = {
  name: 'trigger',
  summary: 'Trigger an event in the simulator of a sandbox',
  usage: '<event or scenario> <channel> [options]',
  description: `Works only with a hub whose upstream is the simulator. Events: ${EVENTS.join(', ')}.
Scenarios: ${SCENARIOS.join(', ')}.
message.status applies to the newest message that the channel sent, payment.status to the newest one that asks for a payment. message.echo and coexistence-history require a number that is also in the Business app.`,
  actions: Object.keys(TRIGGERS),
  options: {
    from: { type: 'string', value: 'number', description: `Phone number of the customer (${CUSTOMER} by default)` },
    text: {
      type: 'string',
      value: 'text',
      description: 'Text that the customer or the owner writes (a sample by default)',
    },
    body: {
      type: 'string',
      value: 'json',
      description: 'Message of another type, such as {"type": "image"}: JSON, @file or -',
    },
    value: {
      type: 'string',
      value: 'value',
      description:
        'The new status, quality (GREEN, YELLOW, RED) or preference (stop, resume), or the event of the account or group',
    },
    simulator: {
      type: 'string',
      value: 'url',
      description: `URL of the simulator (HUBLINE_SIMULATOR_URL, or ${SIMULATOR_URL})`,
    },
  },
  positionals: { min: 2, max: 2 },
  examples: [
    'hubline trigger message.received Padaria --text "Are you open today?"',
    'hubline trigger message.status Padaria --value failed',
    'hubline trigger phone.quality Padaria --value RED',
    'hubline trigger username-only Padaria',
  ],

  async run({ connect, io, isJson, printJson, say, paint }, args) {
    const [event = '', channel = ''] = args.positionals
    const build = Object.hasOwn(TRIGGERS, event) ? TRIGGERS[event] : undefined
    if (!build) throw wrongChoice('the event or scenario', event, Object.keys(TRIGGERS))
    const simulatorUrl = normalizeUrl(
      readText(args.values, 'simulator') ?? (io.env.HUBLINE_SIMULATOR_URL || SIMULATOR_URL),
    )
    const customer = readCustomer(args)
    const message = await readMessage(args, io)
    const hub = await connect()
    const channelId = await findChannelId(hub, channel)
    const number = await requireNumber(hub, channelId)
    const findSent = () => findNewestSent(hub, channelId)
    const value = readText(args.values, 'value')
    const givenCustomer = args.values.from === undefined ? undefined : customer
    const request = await build({ ...number, customer, givenCustomer, message, value, findSent })
    await requireSimulated(simulatorUrl, number.phoneNumberId)
    const result = await requestEvent(simulatorUrl, request)
    if (isJson) return void printJson(result)
    say(`${paint('green', 'Triggered')} ${event}.`)
  },
}

function readCustomer({ values }: Arguments): string {
  const customer = (readText(values, 'from') ?? CUSTOMER).replace(/[\s()+-]/g, '')
  if (NUMBER.test(customer)) return customer
  throw usageError('--from must be a number with its country code, such as 5511999990000.')
}

async function readMessage({ values }: Arguments, io: Io): Promise<Record<string, unknown>> {
  const [text, body] = [readText(values, 'text'), readText(values, 'body')]
  if (text !== undefined && body !== undefined) throw usageError('Give only one of --text and --body.')
  if (text !== undefined) return { type: 'text', text: { body: text } }
  return body === undefined ? {} : readJsonOption(io, 'body', body)
}

async function requireNumber(hub: Hub, channelId: string): Promise<NumberOfChannel> {
  const { phone_number_id, waba_id } = (await hub.channels.get(channelId)).channel
  if (phone_number_id !== null && waba_id !== null) return { phoneNumberId: phone_number_id, wabaId: waba_id }
  throw new CliError(`The channel has no number yet. Connect one with \`hubline connect ${channelId}\`.`)
}

async function findNewestSent(hub: Hub, channelId: string): Promise<string> {
  const { items } = await hub.messages.list(channelId, { direction: 'outbound', limit: 1 }).firstPage()
  const id = items[0]?.upstream_message_id
  if (id) return id
  throw new CliError('The channel has not sent a message yet, so no message can get a status.')
}

/** Another program may have the simulator's address, and a simulator other numbers. */
async function requireSimulated(url: string, phoneNumberId: string): Promise<void> {
  const { isOk, body } = await callSimulator(url, {
    method: 'GET',
    path: `/numbers/${encodeURIComponent(phoneNumberId)}/faults`,
  })
  if (isOk && Array.isArray(body.failure_codes)) return
  throw sandboxOnly(`no simulator at ${url} knows the number of this channel`)
}

async function requestEvent(url: string, request: Request): Promise<object> {
  const { isOk, body } = await callSimulator(url, request)
  if (isOk) return body
  throw new CliError(
    typeof body.error === 'string' ? toSentence(body.error) : 'The simulator sent an unexpected response.',
  )
}

/** Without the key, which the simulator does not need. */
async function callSimulator(url: string, { method, path, body }: Request) {
  const init = { method, redirect: 'manual', ...(body && { body: JSON.stringify(body) }) } as const
  let response: Response
  try {
    response = await fetch(`${url}/_sim${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch (err) {
    throw sandboxOnly(`no simulator answers at ${url} (${explainFailure(err)})`)
  }
  const answer: unknown = await response.json().catch(() => undefined)
  const isObject = typeof answer === 'object' && answer !== null
  return { isOk: response.ok, body: isObject ? (answer as Record<string, unknown>) : {} }
}

function sandboxOnly(reason: string): CliError {
  return new CliError(`\`trigger\` works only in a sandbox: ${reason}. Use --simulator to give another URL.`)
}
