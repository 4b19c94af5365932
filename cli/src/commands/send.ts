import type { Arguments, Command, Io } from '../command.ts'
import { readText } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { readJsonOption } from '../json-option.ts'
import { findChannelId } from '../names.ts'
import { readInput } from '../prompt.ts'
import { normalizeRecipient, sendMessage } from '../recipient.ts'

export const send: Command = {
  name: 'send',
  summary: 'Send a message',
  usage: '<channel> <to> [<text>] [options]',
  description: `The recipient is a phone number with its country code, or the user id of a person who hides the number, such as BR.1349567890. The
message is a text, a template or, with --body, any message of the API without \`to\`. "-" reads the text from standard input. A key makes it safe to run the command again: it sends once. After exit code 6 the message may have been sent: look it up
with \`hubline messages\`, and do not send it again with another key.`,
  options: {
    template: { type: 'string', value: 'name', description: 'Send this template' },
    language: { type: 'string', value: 'code', description: "The template's language, such as pt_BR" },
    param: {
      type: 'string',
      value: 'text',
      multiple: true,
      description: "A parameter of the template's body, in order",
    },
    body: {
      type: 'string',
      value: 'json',
      description: 'The message as JSON, as @file or, with -, from standard input',
    },
    key: {
      type: 'string',
      value: 'text',
      description: 'The Idempotency-Key, 8 to 200 characters (a new one by default)',
    },
  },
  positionals: { min: 2, max: 3 },
  examples: [
    'hubline send Padaria 5511987654321 "Olá!"',
    'hubline send Padaria BR.1349567890 "Olá!"',
    'hubline send Padaria 5511987654321 --template order_ready --language pt_BR --param Ana',
    'hubline send Padaria 5511987654321 --body @image.json --key order-4711',
    `hubline send Padaria 5511987654321 --body '{"type": "text", "text": {"body": "Olá!"}}'`,
  ],

  async run({ connect, io, progress, isJson, printData, say, paint }, args) {
    const [channel = '', to = ''] = args.positionals
    const idempotencyKey = parseKey(readText(args.values, 'key'))
    const message = await readMessage(io, args)
    if ('to' in message) throw usageError('Leave `to` out of --body: the recipient is the second argument.')
    const hub = await connect()
    const channelId = await findChannelId(hub, channel)
    progress('Sending…')
    const sent = await sendMessage(hub, { channelId, recipient: normalizeRecipient(to), message }, { idempotencyKey })
    if (isJson) return void printData(sent)
    say(`${paint('green', sent.message.status)} ${sent.message.id}`)
  },
}

/** A header carries it, so that other characters would be changed on the way. */
function parseKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[\x21-\x7e](?:[\x20-\x7e]{6,198})[\x21-\x7e]$/.test(key)) return key
  throw usageError('--key must have 8 to 200 characters of ASCII, such as order-4711.')
}

async function readMessage(io: Io, { values, positionals: [, , text] }: Arguments): Promise<object> {
  const [template, body] = [readText(values, 'template'), readText(values, 'body')]
  if ([text, template, body].filter((one) => one !== undefined).length !== 1) {
    throw usageError('Give one of a text, --template and --body.')
  }
  if (text !== undefined) return { type: 'text', text: { body: text === '-' ? await readInput(io) : text } }
  if (template !== undefined)
    return { type: 'template', template: buildTemplate(template, { values, positionals: [] }) }
  return readJsonOption(io, 'body', body ?? '')
}

function buildTemplate(name: string, { values }: Arguments): object {
  const language = readText(values, 'language')
  if (language === undefined) throw usageError('--template needs --language, such as --language pt_BR.')
  const parameters = (Array.isArray(values.param) ? values.param : []).map((text) => ({ type: 'text', text }))
  return {
    name,
    language: { code: language },
    ...(parameters.length > 0 && { components: [{ type: 'body', parameters }] }),
  }
}
