import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHANNEL_TOKEN_SCOPES } from '../../server/src/domains/auth/scopes.ts'
import { FILES } from '../../server/src/domains/media/test/files.ts'
import { type HubProgram, runAdmin, startHubProgram } from '../demo/hub-program.ts'
import { waitFor } from '../demo/waiting.ts'

/** The contact who has written to the number, so that anything may be sent to it. */
const CONTACT = '5511987654321'
const TEMPLATE = {
  name: 'order_ready',
  language: 'pt_BR',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Seu pedido está pronto.' }],
}

type Json = Record<string, unknown>
type Number = { channelId: string; phoneNumberId: string; wabaId: string; token: string }
/** A delivery as it arrived: the value of its signature header, and its body in base64. */
type Delivery = { kind: string; signature: string; body: string }

/** The data that a driver knows, as JSON in the file that CLIENT_WORLD names. */
export type World = Number & {
  graph: string
  simulator: string
  contact: string
  template: { name: string; language: string }
  /** A number whose token may only send. */
  sendOnly: Number
  /** A number that is no longer connected. */
  disconnected: Number
  files: Record<string, { path: string; type: string }>
  received: { messageId: string; mediaId: string; mediaUrl: string }
  webhook: { secret: string; callbackUrl: string; deliveries: Delivery[] }
}

/** Starts a hub with an embedded database and the simulator, and makes everything that the drivers use. */
export async function openWorld(
  opened: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<{ file: string; world: World }> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-clients-'))
  opened.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  await chmod(directory, 0o755)
  const receiver = opened.use(await startReceiver())
  const settings = { BILLING: 'off' }
  const program = opened.use(await startHubProgram(directory, { allowed: receiver.destination, signal, settings }))
  const admin = { cwd: directory, env: program.env }
  const { api_key } = await runAdmin<{ api_key: string }>(['create-organization', '--name', 'Acme'], admin)
  const call = createCaller(program, api_key)

  // The upstream lets a business write to one contact every six seconds, and the drivers write to one all the time.
  await call('PUT', '/_sim/limits', { enforced: false })
  const main = await connectNumber(call, [...CHANNEL_TOKEN_SCOPES])
  const sendOnly = await connectNumber(call, ['messages:send'])
  const disconnected = await connectNumber(call, [...CHANNEL_TOKEN_SCOPES])
  await disconnect(call, disconnected)
  const { id } = (await call('POST', `/graph/${main.wabaId}/message_templates`, TEMPLATE, main.token)) as { id: string }
  await call('POST', `/_sim/templates/${id}`, { status: 'APPROVED' })
  const { secret } = (await call('POST', '/api/v1/webhooks', {
    name: 'Client',
    url: receiver.url,
    all_channels: false,
    channel_ids: [main.channelId],
    payload_mode: 'upstream_raw',
    delivery_format: 'compat',
    media_urls: 'hub',
  })) as { secret: string }
  const received = await receiveMessages(call, main, receiver, signal)

  const world: World = {
    ...main,
    graph: `${program.url}/graph`,
    simulator: `${program.simulatorUrl}/_sim`,
    contact: CONTACT,
    template: { name: TEMPLATE.name, language: TEMPLATE.language },
    sendOnly,
    disconnected,
    files: await writeFiles(directory),
    received,
    webhook: { secret, callbackUrl: receiver.url, deliveries: receiver.deliveries },
  }
  const file = join(directory, 'world.json')
  await writeFile(file, JSON.stringify(world))
  return { file, world }
}

type Call = ReturnType<typeof createCaller>

/** Calls the hub, or the simulator for paths of its control API. Returns `data` of the envelope, or the bare body. */
function createCaller({ url, simulatorUrl }: HubProgram, key: string) {
  return async (method: string, path: string, body?: unknown, token = key): Promise<Json> => {
    const response = await fetch(`${path.startsWith('/_sim') ? simulatorUrl : url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Json
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return (answer.data as Json | undefined) ?? answer
  }
}

/** A channel that is connected to a new number, and a token of it with these scopes. */
async function connectNumber(call: Call, scopes: string[]) {
  const account = (await call('POST', '/_sim/accounts', { numbers: [{ registered: true }] })) as {
    waba_id: string
    access_token: string
    numbers: { phone_number_id: string }[]
  }
  const phoneNumberId = account.numbers[0]?.phone_number_id ?? ''
  const { channel } = (await call('POST', '/api/v1/channels', { name: 'Padaria' })) as { channel: { id: string } }
  const { access_token, waba_id } = account
  await call('POST', `/api/v1/channels/${channel.id}/connection`, {
    access_token,
    waba_id,
    phone_number_id: phoneNumberId,
  })
  const renewed = await call('POST', `/api/v1/channels/${channel.id}/regenerate-token`, { scopes })
  const token = String((renewed.channel as Json | undefined)?.token ?? renewed.token)
  return { channelId: channel.id, phoneNumberId, wabaId: waba_id, token }
}

/** The upstream refuses the stored credential of a revoked token, which disconnects the channel. */
async function disconnect(call: Call, { wabaId, phoneNumberId, token }: Number): Promise<void> {
  await call('POST', '/_sim/tokens/revoke', { waba_id: wabaId })
  await call('GET', `/graph/${phoneNumberId}`, undefined, token).catch(() => undefined)
}

/** The contact sends a text and a file, and is sent a text, until the receiver has a delivery of each. */
async function receiveMessages(call: Call, main: Number, receiver: Receiver, signal: AbortSignal) {
  const to = main.phoneNumberId
  await call('POST', `/_sim/contacts/${CONTACT}/messages`, { to, type: 'text' })
  await call('POST', `/_sim/contacts/${CONTACT}/messages`, { to, type: 'image' })
  const hello = { messaging_product: 'whatsapp', to: CONTACT, type: 'text', text: { body: 'Olá' } }
  await call('POST', `/graph/${to}/messages`, hello, main.token)
  const find = (kind: string) => receiver.deliveries.find((delivery) => delivery.kind === kind)
  await waitFor('the deliveries', signal, () => ['text', 'image', 'status'].every(find) || undefined)
  const read = (kind: string) => readMessage(Buffer.from(find(kind)?.body ?? '', 'base64'))
  const { id, url } = read('image')?.image ?? {}
  return { messageId: String(read('text')?.id), mediaId: String(id), mediaUrl: String(url) }
}

async function writeFiles(directory: string): Promise<World['files']> {
  const files: World['files'] = {}
  for (const [kind, { name, type, bytes }] of Object.entries(FILES)) {
    files[kind] = { path: join(directory, name), type }
    await writeFile(join(directory, name), bytes)
  }
  return files
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A webhook receiver that keeps what arrives. */
async function startReceiver() {
  const deliveries: Delivery[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const kind = readMessage(body)?.type ?? (body.includes('"statuses"') ? 'status' : 'other')
    const signature = String(request.headers['x-hub-signature-256'])
    deliveries.push({ kind, signature, body: body.toString('base64') })
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const destination = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    deliveries,
    destination,
    url: `http://${destination}/hook`,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

type RawMessage = { id: string; type: string; image?: { id: string; url: string } }

function readMessage(body: Buffer): RawMessage | undefined {
  return JSON.parse(body.toString()).entry?.[0]?.changes?.[0]?.value?.messages?.[0]
}
