import type { AddressedMessageBody, Hub, KeyedOptions, MessageBody } from '@hubline/sdk'

/** A user id of the upstream has two letters of a country before a dot, which no phone number has. */
const USER_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/
const NUMBER = /^[1-9][0-9]{7,14}$/

export const RECIPIENT_FORMS =
  'a phone number with its country code, such as 5511987654321, or a user id, such as BR.1349567890'

/** A phone number by its digits alone, however it is spelled, and a user id as it is. */
export function normalizeRecipient(text: string): string {
  return isUserId(text.trim()) ? text.trim() : text.replace(/[\s()+-]/g, '')
}

export function isRecipient(text: string): boolean {
  return isUserId(text) || NUMBER.test(text)
}

function isUserId(text: string): boolean {
  return USER_ID.test(text)
}

/** Sends by the route for the kind of recipient: people who hide their number have a user id alone. */
export function sendMessage(
  hub: Hub,
  { channelId, recipient, message }: { channelId: string; recipient: string; message: object },
  options: KeyedOptions,
) {
  return isUserId(recipient)
    ? hub.messages.sendToContact(channelId, recipient, message as AddressedMessageBody, options)
    : hub.messages.send(channelId, { to: recipient, ...message } as MessageBody, options)
}
