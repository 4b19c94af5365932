import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createSimulator } from '@hubline/simulator'
import { openLedger } from './ledger.ts'
import { createRandom } from './random.ts'

/**
 * The upstream in a process of its own. It takes messages itself, with seeded failures, and writes each into a ledger
 * before it answers; the simulator answers everything else. It calls the hub back until it gets a 200.
 */
export type UpstreamOptions = {
  seed: number
  ledger: string
  app: { appId: string; appSecret: string; verifyToken: string }
}
export type UpstreamAddress = { url: string; payments: { secretKey: string; webhookSecret: string } }
export type UpstreamNumber = { wabaId: string; phoneNumberId: string; accessToken: string; display: string }
export type UpstreamOrder =
  | { order: 'number'; id: number }
  | { order: 'payments'; id: number; callback: string }
  | { order: 'pay'; id: number; url: string }
  | { order: 'subscriptions'; id: number }
  | { order: 'callbacks'; urls: string[] }
  | { order: 'inbound'; number: UpstreamNumber; from: string; text: string }
  | { order: 'storm' }
  | { order: 'calm' }
  | { order: 'drained'; id: number }

type Update = { number: UpstreamNumber; id: string; status: string | null; value: object }

const OUTCOMES = {
  accept: 68,
  'accept slowly': 12,
  refuse: 3,
  throttle: 3,
  'reset before': 3,
  'hang before': 1,
  'reset after': 4,
  'hang after': 3,
  'html after': 2,
  'garbled after': 1,
}
type Outcome = keyof typeof OUTCOMES
const FLUSH_MS = 100
/** Statuses of so many sends come late: until then only the hub's own record tells what became of them. */
const LATE_SHARE = 0.4
/** A slow answer leaves time for a fault between the call and its answer. */
const SLOW_MS = { min: 300, max: 3000 }
const LATE_MS = { min: 6000, max: 15_000 }
const REQUEST_MS_MAX = 10_000
/** Before a callback that was not answered 200 is posted again. */
const AGAIN_MS = { min: 500, max: 3000 }

const options = JSON.parse(process.argv[2] ?? '{}') as UpstreamOptions
const random = createRandom(options.seed, 'upstream')
const ledger = openLedger(options.ledger)
const simulator = createSimulator({ ...options.app, seed: `torture ${options.seed}` })
await simulator.listen({ host: '127.0.0.1', port: 0 })
const numbers = new Map<string, UpstreamNumber>()
const pending: Update[] = []
const sentUpdates: Update[] = []
let urls: string[] = []
let isCalm = false
let calls = 0
let count = 0
let posting = 0
let scheduled = 0

process.on('disconnect', () => process.exit(0))

const server = createServer((request, response) => {
  const phone = /^\/v[\d.]+\/(\d+)\/messages$/.exec(request.url ?? '')?.[1]
  const number = phone === undefined ? undefined : numbers.get(phone)
  if (request.method === 'POST' && number) void takeMessage(number, request, response).catch(() => response.destroy())
  else forward(request, response)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const { secretKey, webhookSecret } = simulator.payments
const { port } = server.address() as AddressInfo
process.send?.({ url: `http://127.0.0.1:${port}`, payments: { secretKey, webhookSecret } } satisfies UpstreamAddress)

async function takeMessage(number: UpstreamNumber, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  // Read receipts and the like.
  if (body.type !== 'text') return answer(response, 200, JSON.stringify({ success: true }))
  const outcome: Outcome = isCalm ? 'accept' : random.choose(OUTCOMES)
  const isTaken = outcome.startsWith('accept') || outcome.endsWith('after')
  const wamid = `wamid.T${options.seed}.${++count}`
  const opaque = body.biz_opaque_callback_data ?? null
  ledger.write({
    entry: 'message',
    at: Date.now(),
    phone: number.phoneNumberId,
    text: body.text?.body,
    person: body.to,
    opaque,
    wamid,
    outcome,
    isTaken,
  })
  if (isTaken) queueStatuses(number, { wamid, opaque, to: body.to })
  await respond(outcome, { response, wamid, to: body.to })
}

async function respond(
  outcome: Outcome,
  given: { response: ServerResponse; wamid: string; to: string },
): Promise<void> {
  const { response, wamid, to } = given
  const accepted = { messaging_product: 'whatsapp', contacts: [{ input: to, wa_id: to }], messages: [{ id: wamid }] }
  const text = JSON.stringify(accepted)
  if (outcome === 'accept slowly') await delay(random.between(SLOW_MS.min, SLOW_MS.max))
  if (outcome.startsWith('accept')) return answer(response, 200, text)
  if (outcome === 'refuse') return answer(response, 400, buildError(131009, 'Parameter value is not valid'))
  if (outcome === 'throttle') return answer(response, 400, buildError(130429, 'Rate limit hit'))
  if (outcome === 'html after') return answer(response, 502, '<html>Bad gateway</html>', 'text/html')
  if (outcome === 'garbled after') return answer(response, 200, text.slice(0, -20))
  if (outcome.startsWith('hang')) await delay(REQUEST_MS_MAX)
  response.destroy()
}

function buildError(code: number, title: string): string {
  const error_data = { messaging_product: 'whatsapp', details: title }
  return JSON.stringify({
    error: { message: `(#${code}) ${title}`, type: 'OAuthException', code, error_data, fbtrace_id: 'T' },
  })
}

function answer(response: ServerResponse, status: number, text: string, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type }).end(text)
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', url = '/', headers } = request
  const onward = send(new URL(url, simulator.url), { method, headers, agent: false })
  onward.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)))
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}

function queueStatuses(number: UpstreamNumber, sent: { wamid: string; opaque: string | null; to: string }): void {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const isLate = !isCalm && random.isLikely(LATE_SHARE)
  for (const status of ['sent', 'delivered', 'read']) {
    const entry = { id: sent.wamid, status, timestamp, recipient_id: sent.to, biz_opaque_callback_data: sent.opaque }
    const update = { number, id: sent.wamid, status, value: { statuses: [entry] } }
    // Some overtake the answer of the send, and some come long after it.
    const laterMs = isLate ? random.between(LATE_MS.min, LATE_MS.max) : 0
    scheduled++
    setTimeout(
      () => {
        scheduled--
        pending.push(update)
      },
      laterMs + random.between(0, status === 'sent' ? 300 : 1500),
    )
  }
}

function queueInbound(number: UpstreamNumber, from: string, text: string): void {
  const id = `wamid.I${options.seed}.${++count}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const messages = [{ from, id, timestamp, type: 'text', text: { body: text } }]
  pending.push({ number, id, status: null, value: { contacts: [{ profile: { name: 'Ana' }, wa_id: from }], messages } })
}

/** Posts what waits, in batches, shuffled, some of it twice. */
function flush(): void {
  const [one] = urls
  if (one === undefined || pending.length === 0) return
  const updates = random.shuffle(pending.splice(0))
  const doubled = updates.flatMap((update) => (random.isLikely(0.15) ? [update, update] : [update]))
  while (doubled.length > 0) void post(doubled.splice(0, 1 + Math.floor(random.next() * 8)))
}

async function post(updates: Update[]): Promise<void> {
  const url = urls[calls++ % urls.length] ?? ''
  const entry = updates.map(({ number, value }) => {
    const metadata = { display_phone_number: number.display, phone_number_id: number.phoneNumberId }
    const change = { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }
    return { id: number.wabaId, changes: [change] }
  })
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
  const signature = createHmac('sha256', options.app.appSecret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
  const from = Date.now()
  posting++
  const signal = AbortSignal.timeout(REQUEST_MS_MAX)
  const status = await fetch(`${url}/hooks/upstream`, { method: 'POST', headers, body, signal }).then(
    async (response) => {
      await response.arrayBuffer().catch(() => undefined)
      return response.status
    },
    () => 0,
  )
  const ids = updates.map(({ id, status, number }) => ({ id, status, phone: number.phoneNumberId }))
  ledger.write({ entry: 'callback', from, at: Date.now(), status, updates: ids })
  if (status !== 200) {
    await delay(random.between(AGAIN_MS.min, AGAIN_MS.max))
    pending.push(...updates)
  }
  if (status === 200) sentUpdates.push(...updates.filter((update) => update.status !== null))
  posting--
}

const CARD = '4242424242424242'
type PaymentObjects = {
  checkout_sessions: { id: string; url: string | null }[]
  customers: { id: string; metadata: Record<string, string> }[]
  subscriptions: {
    customer: string
    status: string
    items: { data: { price: { lookup_key: string | null }; quantity: number }[] }
  }[]
  invoices: { customer: string; billing_reason: string }[]
  events: { id: string; pending_webhooks: number }[]
}

async function listPayments<Kind extends keyof PaymentObjects>(kind: Kind): Promise<PaymentObjects[Kind]> {
  return (await simulator.control<Pick<PaymentObjects, Kind>>('GET', `/payments/objects/${kind}`))[kind]
}

async function payCheckout(url: string): Promise<void> {
  const session = (await listPayments('checkout_sessions')).find((found) => found.url === url)
  if (session) await simulator.control('POST', `/payments/checkout/${session.id}`, { card: CARD })
}

/** Posts the events again that were not answered, as the provider does within hours, and writes what each organization pays for. */
async function closeSubscriptions(): Promise<void> {
  for (const { id, pending_webhooks } of await listPayments('events'))
    if (pending_webhooks > 0) await simulator.control('POST', `/payments/events/${id}/redeliver`)
  const [subscriptions, invoices] = [await listPayments('subscriptions'), await listPayments('invoices')]
  for (const { id, metadata } of await listPayments('customers')) {
    const items = subscriptions.filter((s) => s.customer === id && s.status === 'active').flatMap((s) => s.items.data)
    const changes = invoices.filter((i) => i.customer === id && i.billing_reason === 'subscription_update').length
    const paid = Object.fromEntries(items.map(({ price, quantity }) => [price.lookup_key, quantity]))
    ledger.write({ entry: 'subscription', at: Date.now(), organization: metadata.organization_id, paid, changes })
  }
}

setInterval(flush, FLUSH_MS)

process.on('message', async (order: UpstreamOrder) => {
  if (order.order === 'number') {
    const account = await simulator.control<{
      waba_id: string
      access_token: string
      numbers: { phone_number_id: string; display_phone_number: string }[]
    }>('POST', '/accounts', { subscribed: true, numbers: [{ registered: true }] })
    const [first] = account.numbers
    if (!first) throw new Error('The simulator made no number')
    const { waba_id: wabaId, access_token: accessToken } = account
    const number = { wabaId, accessToken, phoneNumberId: first.phone_number_id, display: first.display_phone_number }
    numbers.set(number.phoneNumberId, number)
    process.send?.({ id: order.id, number })
  }
  if (order.order === 'payments') {
    await simulator.control('PUT', '/payments/callback', { url: order.callback })
    await simulator.control('PUT', '/payments/webhooks/policy', { order: 'shuffled', duplicates: 1 })
    process.send?.({ id: order.id })
  }
  if (order.order === 'pay') {
    await payCheckout(order.url)
    process.send?.({ id: order.id })
  }
  if (order.order === 'subscriptions') {
    await closeSubscriptions()
    process.send?.({ id: order.id })
  }
  if (order.order === 'callbacks') urls = order.urls
  if (order.order === 'inbound') {
    ledger.write({
      entry: 'inbound',
      at: Date.now(),
      phone: order.number.phoneNumberId,
      text: order.text,
      person: order.from,
      id: `wamid.I${options.seed}.${count + 1}`,
    })
    queueInbound(order.number, order.from, order.text)
  }
  // Statuses that were reported before are reported again, many at once.
  if (order.order === 'storm') pending.push(...random.shuffle([...sentUpdates]).slice(0, 100))
  if (order.order === 'calm') isCalm = true
  if (order.order === 'drained') process.send?.({ id: order.id, left: pending.length + posting + scheduled })
})
