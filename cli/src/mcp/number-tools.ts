import { z } from 'zod'
import { CliError } from '../exit-codes.ts'
import { findChannelId } from '../names.ts'
import { normalizeRecipient } from '../recipient.ts'
import { CHANNEL } from './read-tools.ts'
import { ALLOWED, defineTool, type Permissions, type Tool } from './tool.ts'

const text = z.string().nullish()
const BlockedPerson = z.object({ person: z.string(), wa_id: text, user_id: text })
const NotChanged = z.object({ person: z.string(), code: z.number().nullish(), title: text })
const QrCode = z.object({ code: z.string(), prefilled_message: z.string(), deep_link_url: z.string() })
const Username = { username: z.string().nullable(), status: text }

const PEOPLE = z.array(z.string().min(1)).min(1).max(50).describe('Phone numbers with the country code, or user ids')

/** The block list, the QR codes and the username of a number. */
export const NUMBER_READ_TOOLS: Tool[] = [
  defineTool({
    name: 'list_blocked',
    description: 'List the people whom the number of a channel has blocked.',
    input: { channel: CHANNEL },
    output: { blocked: z.array(BlockedPerson) },
    async run(hub, { channel }) {
      const found = await hub.numbers.listBlocked(await findChannelId(hub, channel), { limit: 100 }).toArray()
      return { blocked: found.map(({ person, wa_id, user_id }) => ({ person, wa_id, user_id })) }
    },
  }),
  defineTool({
    name: 'list_qr_codes',
    description: 'List the QR codes of a number. Scanning one opens a chat with its text already typed.',
    input: { channel: CHANNEL },
    output: { qr_codes: z.array(QrCode) },
    async run(hub, { channel }) {
      const found = await hub.numbers.listQrCodes(await findChannelId(hub, channel), { limit: 100 }).toArray()
      return { qr_codes: found.map(showQrCode) }
    },
  }),
  defineTool({
    name: 'get_username',
    description: 'Show the username of a number, by which people can find it.',
    input: { channel: CHANNEL },
    output: Username,
    async run(hub, { channel }) {
      return showUsername((await hub.numbers.getUsername(await findChannelId(hub, channel))).username)
    },
  }),
]

/** A block reaches a person, so that these tools are offered only if --allow-to names one. */
export function createNumberWriteTools({ recipients }: Permissions): Tool[] {
  return recipients.size === 0 ? PROFILE_TOOLS : [...createBlockTools(recipients), ...PROFILE_TOOLS]
}

function createBlockTools(recipients: ReadonlySet<string>): Tool[] {
  function readAllowed(texts: string[]): string[] {
    const people = texts.map(normalizeRecipient)
    const refused = people.find((person) => !recipients.has(person))
    if (refused !== undefined) throw new CliError(`To block or unblock ${refused} is not allowed. ${ALLOWED}`)
    return people
  }

  return [
    defineTool({
      name: 'block_people',
      description:
        'Block those of the allowed recipients who wrote to the number within the last 24 hours. They can be unblocked.',
      input: { channel: CHANNEL, people: PEOPLE },
      output: { blocked: z.array(z.string()), failed: z.array(NotChanged) },
      async run(hub, { channel, people }) {
        const body = { people: readAllowed(people) }
        const { blocked, failed } = await hub.numbers.blockPeople(await findChannelId(hub, channel), body)
        return { blocked: blocked.map(({ person }) => person), failed: failed.map(showNotChanged) }
      },
    }),
    defineTool({
      name: 'unblock_people',
      description: 'Unblock those of the allowed recipients whom the number has blocked.',
      input: { channel: CHANNEL, people: PEOPLE },
      output: { unblocked: z.array(z.string()), failed: z.array(NotChanged) },
      async run(hub, { channel, people }) {
        const body = { people: readAllowed(people) }
        const { unblocked, failed } = await hub.numbers.unblockPeople(await findChannelId(hub, channel), body)
        return { unblocked: unblocked.map(({ person }) => person), failed: failed.map(showNotChanged) }
      },
    }),
  ]
}

const PROFILE_TOOLS = [
  defineTool({
    name: 'save_qr_code',
    description: 'Create a QR code of a number, or with a code replace its text. Printed copies stay valid.',
    input: {
      channel: CHANNEL,
      prefilled_message: z.string().min(1).max(140),
      // It is a part of a path, where dots alone lead to another operation.
      code: z
        .string()
        .regex(/[^.]/, 'must be that of a QR code, as list_qr_codes shows it')
        .optional()
        .describe('The code to change; without it there is a new one'),
    },
    output: { qr_code: QrCode },
    async run(hub, { channel, prefilled_message, code }) {
      const channelId = await findChannelId(hub, channel)
      const { qr_code } =
        code === undefined
          ? await hub.numbers.createQrCode(channelId, { prefilled_message })
          : await hub.numbers.updateQrCode(channelId, code, { prefilled_message })
      return { qr_code: showQrCode(qr_code) }
    },
  }),
  defineTool({
    name: 'set_username',
    description: 'Set the username of a number: 3 to 35 letters, digits, periods and underscores.',
    input: { channel: CHANNEL, username: z.string().min(3).max(35) },
    output: Username,
    async run(hub, { channel, username }) {
      return showUsername((await hub.numbers.setUsername(await findChannelId(hub, channel), { username })).username)
    },
  }),
]

function showQrCode({ code, prefilled_message, deep_link_url }: z.infer<typeof QrCode>) {
  return { code, prefilled_message, deep_link_url }
}

function showNotChanged({ person, code, title }: z.infer<typeof NotChanged>) {
  return { person, code, title }
}

function showUsername({ username, status }: { username: string | null; status: string | null }) {
  return { username, status }
}
