import type { Command } from '../command.ts'
import { readList } from '../command.ts'
import { EXIT, usageError } from '../exit-codes.ts'
import { isGroupId, isRecipient, RECIPIENT_FORMS, readTarget } from '../recipient.ts'

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve the commands to an AI assistant over the Model Context Protocol',
  usage: '[options]',
  description: `It speaks the protocol on standard input and output, and is started by a program. Without options its tools only read, and do
not show the content of messages. No tool deletes anything, changes a credential or returns a secret.`,
  options: {
    'allow-writes': {
      type: 'boolean',
      description:
        'Offer tools that test webhooks, replay deliveries, change a number and, with --allow-to, send messages, mark messages as read and block people',
    },
    'allow-to': {
      type: 'string',
      value: 'recipient',
      multiple: true,
      description:
        'Allow messages and read receipts to this phone number, user id or group:id, and to block it; none by default',
    },
    'include-content': { type: 'boolean', description: 'Show the content of messages, marked as untrusted text' },
  },
  positionals: { min: 0, max: 0 },
  examples: ['hubline mcp', 'hubline mcp --allow-writes --allow-to 5511987654321 --include-content'],

  async run({ loadSettings, connect, io }, { values }) {
    const permissions = {
      canWrite: values['allow-writes'] === true,
      recipients: parseRecipients(readList(values, 'allow-to')),
      includesContent: values['include-content'] === true,
    }
    if (permissions.recipients.size > 0 && !permissions.canWrite) {
      throw usageError('--allow-to requires --allow-writes. Without it nothing is sent.')
    }
    const { url } = await loadSettings()
    const hub = await connect()
    // Other commands start faster without the protocol's packages.
    const { serveTools } = await import('../mcp/server.ts')
    await serveTools({ hub, url }, permissions, io)
    return EXIT.ok
  },
}

function parseRecipients(texts: string[]): Set<string> {
  const targets = texts.map(readTarget)
  const isWrong = ({ recipient, isGroup }: ReturnType<typeof readTarget>) =>
    isGroup ? !isGroupId(recipient) : !isRecipient(recipient)
  const wrong = texts[targets.findIndex(isWrong)]
  if (wrong !== undefined)
    throw usageError(
      `--allow-to must be ${RECIPIENT_FORMS}, or a group, such as group:Y2FwaV9ncm91cA==, not '${wrong}'.`,
    )
  return new Set(targets.map(({ name }) => name))
}
