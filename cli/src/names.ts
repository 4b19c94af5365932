import type { Channel, Hub, Webhook } from '@hubline/sdk'
import { CliError, EXIT, usageError } from './exit-codes.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** It is a part of a path, where dots alone lead to another operation. */
export function requirePathId(text: string, what: string, listed: string): string {
  if (/^\.*$/.test(text)) throw usageError(`${what}, as \`hubline ${listed}\` lists it, not '${text}'.`)
  return text
}

/** A channel by its id, or by what a person calls it: name, external id or number. */
export async function findChannelId(hub: Hub, text: string): Promise<string> {
  if (isUuid(text)) return text
  const digits = text.replace(/[\s()+-]/g, '')
  const channels = await hub.channels.list().toArray()
  const found = channels.filter(
    ({ name, external_id, display_phone_number }) =>
      isSame(name, text) ||
      external_id === text ||
      (/^\d{6,}$/.test(digits) && display_phone_number?.replace(/\D/g, '') === digits),
  )
  return requireOne('channel', text, found, describeChannel)
}

/** An endpoint by its id, its name or its URL. */
export async function findWebhookId(hub: Hub, text: string): Promise<string> {
  if (isUuid(text)) return text
  const webhooks = await hub.webhooks.list().toArray()
  const found = webhooks.filter(({ name, url }) => isSame(name, text) || url === text)
  return requireOne('webhook', toOrigin(text), found, ({ url }: Webhook) => toOrigin(url))
}

/** The path and the query of an address often hold a credential. Another text stays as it is. */
export function toOrigin(text: string): string {
  return /^https?:/.test(text) && URL.canParse(text) ? new URL(text).origin : text
}

function isSame(name: string, text: string): boolean {
  return name.toLowerCase() === text.toLowerCase()
}

function describeChannel({ display_phone_number, status }: Channel): string {
  return display_phone_number ?? status
}

function requireOne<Item extends { id: string }>(
  what: string,
  text: string,
  found: Item[],
  describe: (one: Item) => string,
): string {
  const [one, ...others] = found
  if (one && others.length === 0) return one.id
  if (!one) throw new CliError(`No ${what} matches '${text}'. \`hubline ${what}s\` lists them.`, EXIT.notFound)
  const list = found.map((item) => `${item.id} (${describe(item)})`).join(', ')
  throw new CliError(`Several ${what}s match '${text}': ${list}. Use the id.`, EXIT.usage)
}
