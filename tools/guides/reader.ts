import { writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { type HubProgram, runAdmin } from '../demo/hub-program.ts'
import { waitFor } from '../demo/waiting.ts'
import { type Block, splitCommands } from './blocks.ts'
import { COMMANDS_NOT_RUN } from './claims.ts'
import { createPerson, type Json, type Known } from './person.ts'
import { createShell } from './shell.ts'

/** Commands that run until they are stopped, and what shows that they work: an output, or the port that they listen on. */
const LASTING: [pattern: RegExp, isReady: RegExp | keyof Ports][] = [
  [/hubline listen/, /Connected\. Forwarding/],
  [/--wait$/, /For the channel/],
  [/--tail$/, /\d{2}:\d{2}:\d{2} /],
  [/receiver\.mjs$/, 'receiver'],
  [/\.listen\(\d+\)"$/, 'printer'],
]
/** A request that the guide shows to be refused. */
const REFUSED = /\/hook -d '\{\}'/

/** The receiver of the quick start, on port 3000 there, and that of the README, on port 9000. */
type Ports = { receiver: number; printer: number }
type Options = { program: HubProgram; cwd: string; ports: Ports; signal: AbortSignal }
/** A command that failed. */
type Problem = { file: string; line: number; command: string; output: string }

/**
 * Follows a document as a person does: types each command, puts in what earlier ones printed where the document has a
 * placeholder, and opens links. Returns what failed, and what the programs that were started have printed.
 */
export async function followDocument(blocks: Block[], { program, cwd, ports, signal }: Options) {
  const text = blocks.map((block) => block.text).join('\n')
  const admin = { cwd, env: program.env }
  const { api_key } = await runAdmin<Record<string, string>>(['create-organization', '--name', 'Acme'], admin)
  const known: Known = { api_key }
  const person = createPerson(program, known, signal)
  await person.createConnectedChannel(text.includes('--new') ? 'Other' : 'Padaria')
  if (text.includes('order_reminder')) await person.createTemplate()
  // A key of the environment would win over that of a `hubline login` in the document.
  const key = text.includes('$HUBLINE_KEY') && { HUBLINE_KEY: api_key }
  const shell = createShell(cwd, { ...program.env, ...listVariables(program, cwd, known), ...key })
  await shell.run(`hubline login --url ${program.url}`, api_key)
  const lasting: ReturnType<typeof shell.start>[] = []
  const problems: Problem[] = []

  /** Reads the output as a person does, and acts on it. */
  async function learn(command: string, output: string): Promise<void> {
    Object.assign(known, readOutput(output))
    const [link] = /http\S+\/connect\/[\w-]+/.exec(output) ?? []
    // The quick start shows a way without a browser.
    if (link && !text.includes('/connection ')) await person.openLink(link)
    if (output.includes('"checkout_url"')) await person.pay()
    if (command.includes('regenerate-token')) await shell.run(`export TOKEN=${await person.renewToken()}`)
  }

  async function startLasting(command: string, isReady: RegExp | keyof Ports): Promise<string> {
    const started = shell.start(command)
    lasting.push(started)
    await waitFor(command, signal, async () => {
      const isUp = isReady instanceof RegExp ? isReady.test(started.output()) : await isListening(ports[isReady])
      return isUp || undefined
    })
    return started.output()
  }

  async function type({ file, line }: Block, command: string): Promise<void> {
    const [, isReady] = LASTING.find(([pattern]) => pattern.test(command.replace(/\s+# .*$/, ''))) ?? []
    if (isReady) return learn(command, await startLasting(command, isReady))
    const { code, stdout, output } = await shell.run(command, known.api_key)
    const isRight = REFUSED.test(command) ? / 401 /.test(output) : code === 0
    if (isRight) await learn(command, stdout)
    else problems.push({ file, line, command, output: `${code}: ${output}` })
  }

  try {
    for (const block of blocks) {
      if (block.language === 'js') await writeFile(join(cwd, 'receiver.mjs'), fill(block.text, known, program, ports))
      if (block.language !== 'sh') continue
      for (const command of splitCommands(block.text)) {
        if (COMMANDS_NOT_RUN.some(([pattern]) => pattern.test(command))) continue
        if (/<delivery id>|<id da entrega>|<id de la entrega>/.test(command))
          known.delivery_id = await person.findDelivery()
        if (/<message id>/.test(command)) known.message_id = await person.findReceived()
        await type(block, fill(command, known, program, ports))
      }
    }
  } finally {
    await Promise.all(lasting.map((one) => one.stop()))
    await person.clearFaults()
  }
  return { problems, output: lasting.map((one) => one.output()).join('\n') }
}

function listVariables({ url, simulatorUrl }: HubProgram, cwd: string, { api_key = '', phone_number_id = '' }: Known) {
  return {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    HUBLINE_CONFIG_DIR: join(cwd, 'config'),
    HUBLINE_SIMULATOR_URL: simulatorUrl,
    HUB: url,
    KEY: api_key,
    P: phone_number_id,
  }
}

/** The values in an output that later commands need. */
function readOutput(output: string): Known {
  const answer = parseObject(output)
  const data = parseObject(answer.data ?? answer)
  const channel = parseObject(data.channel)
  const [number] = (answer.numbers ?? []) as Json[]
  const [, channelId] = /For the channel ([0-9a-f-]{36})/.exec(output) ?? []
  const [, secret] = /Signing secret: (whsec_\S+)/.exec(output) ?? []
  const found = {
    api_key: answer.api_key,
    access_token: answer.access_token,
    waba_id: answer.waba_id,
    phone_number_id: number?.phone_number_id ?? number?.id,
    media_id: answer.id,
    id: channel.token ? channel.id : channelId,
    webhook_id: parseObject(data.webhook).id,
    proration_date: parseObject(data.preview).proration_date,
    secret,
  }
  return Object.fromEntries(Object.entries(found).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])))
}

function parseObject(value: unknown): Json {
  if (typeof value === 'object' && value !== null) return value as Json
  try {
    return parseObject(JSON.parse(String(value)))
  } catch {
    // A text for a person.
    return {}
  }
}

/** Puts in what is known for each placeholder, and the addresses of this hub for those of the guides. */
function fill(command: string, known: Known, { url, simulatorUrl }: HubProgram, { receiver, printer }: Ports): string {
  const values: [RegExp, string | undefined][] = [
    [/<id>|<channel id>|<id do canal>|<id del canal>/g, known.id],
    [/<(phone_number_id|waba_id|access_token|api_key)>/g, '$1'],
    [/hub_pk_…/g, known.api_key],
    [/hub_ch_…/g, known.token],
    [/whsec_…/g, known.secret],
    [/<webhook id>|<id do webhook>|<id del webhook>/g, known.webhook_id],
    [/<delivery id>|<id da entrega>|<id de la entrega>/g, known.delivery_id],
    [/<media id>/g, known.media_id],
    [/<message id>/g, known.message_id],
    [/2026-11-15T10:00:00\.000Z/g, known.proration_date],
    [/localhost:8080/g, new URL(url).host],
    [/127\.0\.0\.1:8081/g, new URL(simulatorUrl).host],
    [/(?<=localhost:|listen\()3000/g, String(receiver)],
    [/(?<=localhost:|listen\()9000/g, String(printer)],
    [/https:\/\/example\.com\/hook/g, `http://localhost:${printer}`],
  ]
  return values.reduce(
    (text, [pattern, value]) => text.replace(pattern, (found, name) => (value === '$1' ? known[name] : value) ?? found),
    command,
  )
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, 'localhost')
    socket.once('connect', () => socket.destroy())
    socket.once('error', () => resolve(false))
    socket.once('close', (hadError) => resolve(!hadError))
  })
}
