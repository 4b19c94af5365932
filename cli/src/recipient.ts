import type { AddressedMessageBody, Hub, KeyedOptions, MarketingMessageBody, MessageBody } from '@hubline/sdk'

/** A user id of the upstream has two letters of a country before a dot, which no phone number has. */
const USER_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/
const NUMBER = /^[1-9][0-9]{7,14}$/
/** Dots alone would make it the path of another operation. */
const GROUP_ID = /^(?!\.+$)[A-Za-z0-9@.=_-]{1,128}$/

export const RECIPIENT_FORMS =
  'a phone number with its country code, such as 5511987654321, or a user id, such as BR.1349567890'

/** The ways to send that a person chooses: to a group, or by the Marketing Messages API. */
export type SendRoute = 'group' | 'marketing' | undefined

/** A phone number by its digits alone, however it is spelled, and a user id as it is. */
export function normalizeRecipient(text: string): string {
  return isUserId(text.trim()) ? text.trim() : text.replace(/[\s()+-]/g, '')
}

export function isRecipient(text: string): boolean {
  return isUserId(text) || NUMBER.test(text)
}

export function isGroupId(text: string): boolean {
  return GROUP_ID.test(text)
}

const GROUP_PREFIX = 'group:'

/** A recipient in one text, as assistants give it: `group:` is before the id of a group. */
export function readTarget(text: string): { recipient: string; isGroup: boolean; name: string } {
  const isGroup = text.trim().startsWith(GROUP_PREFIX)
  const recipient = isGroup ? text.trim().slice(GROUP_PREFIX.length) : normalizeRecipient(text)
  return { recipient, isGroup, name: isGroup ? `${GROUP_PREFIX}${recipient}` : recipient }
}

/** The Marketing Messages API takes phone numbers alone. */
export function isPhoneNumber(text: string): boolean {
  return NUMBER.test(text)
}

function isUserId(text: string): boolean {
  return USER_ID.test(text)
}

/** Sends by the route that was chosen, else by that for the kind of recipient: people who hide their number have a user id alone. */
export function sendMessage(
  hub: Hub,
  {
    channelId,
    recipient,
    message,
    route,
  }: { channelId: string; recipient: string; message: object; route?: SendRoute },
  options: KeyedOptions,
) {
  if (route === 'group') {
    return hub.messages.sendToGroup(channelId, recipient, message as AddressedMessageBody, options)
  }
  if (route === 'marketing') {
    return hub.messages.sendMarketing(channelId, { to: recipient, ...message } as MarketingMessageBody, options)
  }
  return isUserId(recipient)
    ? hub.messages.sendToContact(channelId, recipient, message as AddressedMessageBody, options)
    : hub.messages.send(channelId, { to: recipient, ...message } as MessageBody, options)
}
