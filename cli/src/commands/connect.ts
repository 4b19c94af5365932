import type { ConnectLinkOptions } from '@hubline/sdk'
import { renderUnicodeCompact } from 'uqr'
import type { Command, Context, Values } from '../command.ts'
import { readText } from '../command.ts'
import { EXIT, usageError } from '../exit-codes.ts'
import { LANGUAGES } from '../generated/definitions.gen.ts'
import { readJsonOption } from '../json-option.ts'
import { findChannelId } from '../names.ts'
import { poll } from '../polling.ts'
import { formatTime } from '../statuses.ts'

const TOKEN_WARNING = 'Store it now: it cannot be shown again. `hubline tokens regenerate` makes another one.'

export const connect: Command = {
  name: 'connect',
  summary: 'Create a link and QR code that connect a number to a channel',
  usage: '<channel> | --new <name> [--wait]',
  description:
    'Send the link to the person who has the business number. It works once, and a new link ends the older ones. The token of a new channel is shown once.',
  options: {
    new: { type: 'string', value: 'name', description: 'Create a channel with this name first' },
    wait: { type: 'boolean', description: 'Wait until the number is connected' },
    'success-url': { type: 'string', value: 'url', description: 'The page returns there once the number is connected' },
    'failure-url': { type: 'string', value: 'url', description: 'The page returns there without a connected number' },
    language: {
      type: 'string',
      value: 'code',
      choices: LANGUAGES,
      description: 'The language in which the page opens',
    },
    metadata: { type: 'string', value: 'json', description: 'A JSON object that channel.connected returns' },
    'no-qr': { type: 'boolean', description: 'Do not print the QR code' },
  },
  positionals: { min: 0, max: 1 },
  examples: [
    'hubline connect --new "Padaria" --wait',
    'hubline connect Padaria',
    'hubline connect Padaria --success-url https://example.com/done --language pt-BR',
  ],

  async run(context, { values, positionals: [name] }) {
    const newName = readText(values, 'new')
    if ((name === undefined) === (newName === undefined)) {
      throw usageError('Give a channel, or create one with --new <name>.')
    }
    // Before a channel is created: its token is shown only once the link exists.
    const options = await readOptions(context, values)
    const hub = await context.connect()
    const created = newName === undefined ? undefined : await hub.channels.create({ name: newName })
    const channelId = created?.channel.id ?? (await findChannelId(hub, name ?? ''))
    const link = await hub.channels.createConnectLink(channelId, options)
    if (context.isJson) context.printData({ ...created, ...link })
    else printLink(context, { channelId, ...link }, values['no-qr'] !== true)
    if (created) context.say(`Channel token: ${context.paint('bold', created.channel.token)}\n${TOKEN_WARNING}`)
    if (values.wait !== true) return EXIT.ok

    context.progress('Waiting until the number is connected. Ctrl-C stops the waiting, and the link stays valid.')
    const channel = await poll(context, async () => {
      const found = (await hub.channels.get(channelId)).channel
      return found.status === 'active' ? found : undefined
    })
    if (!channel) return 130
    if (context.isJson) context.printData({ channel })
    context.say(`${context.paint('green', 'Connected:')} ${channel.display_phone_number ?? channel.id}`)
    return EXIT.ok
  },
}

async function readOptions({ io }: Context, values: Values): Promise<ConnectLinkOptions> {
  const metadata = readText(values, 'metadata')
  const language = LANGUAGES.find((known) => known === values.language)
  const [success_url, failure_url] = [readUrl(values, 'success-url'), readUrl(values, 'failure-url')]
  return {
    ...(success_url !== undefined && { success_url }),
    ...(failure_url !== undefined && { failure_url }),
    ...(language !== undefined && { language }),
    ...(metadata !== undefined && { metadata: await readJsonOption(io, 'metadata', metadata) }),
  }
}

function readUrl(values: Values, name: string): string | undefined {
  const url = readText(values, name)
  if (url === undefined || URL.parse(url)?.protocol === 'https:') return url
  throw usageError(`--${name} must be an https URL.`)
}

type Link = { channelId: string; connect_url: string; expires_at: string }

function printLink({ say, paint, io }: Context, link: Link, hasQr: boolean): void {
  const { channelId, connect_url, expires_at } = link
  // On a pipe the blocks of a QR code are noise.
  if (hasQr && io.stdout.isTTY) {
    const lines = renderUnicodeCompact(connect_url, { border: 2 }).split('\n')
    say(lines.map((line) => paint('qr', line)).join('\n'))
  }
  say(paint('bold', connect_url))
  say(`For the channel ${channelId}, until ${formatTime(expires_at)}.`)
}
