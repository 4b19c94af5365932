import { isObject, type JsonObject } from '../../json.ts'
import { invalid, refusal, required } from '../http/errors.ts'
import { checkKeys, joinPath, requireObject, requireObjects, requireText } from '../http/parameters.ts'
import { checkInteractive } from './interactive-types.ts'
import { checkMedia, type DeliveryFailure, type MessageContext } from './media-object.ts'

/** Throws for a request that the platform refuses; returns a failure that it reports later by webhook. */
type MessageCheck = (params: JsonObject, context: MessageContext) => DeliveryFailure | undefined

const CONTACTS_MAX = 257

const CHECKS = {
  text(params) {
    const text = requireObject(params, 'text')
    checkKeys(text, 'text', ['body', 'preview_url'])
    requireText(text, 'body', 'text', 4_096)
    return undefined
  },
  image: (params, context) => checkMedia(params, 'image', ['caption'], context),
  video: (params, context) => checkMedia(params, 'video', ['caption'], context),
  audio: (params, context) => checkMedia(params, 'audio', ['voice'], context),
  document: (params, context) => checkMedia(params, 'document', ['caption', 'filename'], context),
  sticker: (params, context) => checkMedia(params, 'sticker', [], context),
  location(params) {
    const location = requireObject(params, 'location')
    checkKeys(location, 'location', ['latitude', 'longitude', 'name', 'address'])
    coordinate(location, 'latitude', 90)
    coordinate(location, 'longitude', 180)
    return undefined
  },
  contacts(params) {
    const contacts = requireObjects(params, 'contacts')
    if (contacts.length < 1 || contacts.length > CONTACTS_MAX) {
      throw refusal(131009, `Invalid contacts count. Min allowed contacts: 1, Max allowed contacts: ${CONTACTS_MAX}`)
    }
    contacts.forEach(checkContact)
    return undefined
  },
  reaction(params) {
    const reaction = requireObject(params, 'reaction')
    checkKeys(reaction, 'reaction', ['message_id', 'emoji'])
    requireText(reaction, 'message_id', 'reaction')
    if (typeof reaction.emoji !== 'string') throw required("reaction['emoji']")
    return undefined
  },
  interactive: (params, context) => checkInteractive(requireObject(params, 'interactive'), context),
} satisfies Record<string, MessageCheck>

export type SentType = keyof typeof CHECKS
export const MESSAGE_CHECKS: Readonly<Record<string, MessageCheck>> = CHECKS

function coordinate(location: JsonObject, name: string, max: number): void {
  const value = location[name]
  if (value === undefined || value === null || value === '') throw required(`location['${name}']`)
  const degrees = Number(value)
  if (!Number.isFinite(degrees) || Math.abs(degrees) > max) {
    throw refusal(131009, `The ${name} must be a number between -${max} and ${max}.`)
  }
}

const NAME_PARTS = ['first_name', 'last_name', 'middle_name', 'prefix', 'suffix']

function checkContact(contact: JsonObject, index: number): void {
  const path = joinPath('contacts', index)
  checkKeys(contact, path, ['addresses', 'birthday', 'emails', 'name', 'org', 'phones', 'urls'])
  const name = requireObject(contact, 'name', path)
  const namePath = joinPath(path, 'name')
  checkKeys(name, namePath, ['formatted_name', ...NAME_PARTS])
  requireText(name, 'formatted_name', namePath)
  if (!NAME_PARTS.some((part) => typeof name[part] === 'string' && name[part] !== '')) {
    throw refusal(131009, 'At least one of the name parts must be given besides formatted_name.')
  }
  if (contact.birthday !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(String(contact.birthday))) {
    throw refusal(131009, 'The birthday must be written YYYY-MM-DD.')
  }
  for (const list of ['phones', 'emails', 'addresses', 'urls']) {
    if (contact[list] !== undefined && !(Array.isArray(contact[list]) && contact[list].every(isObject))) {
      throw invalid(`Param ${joinPath(path, list)} must be an array of JSON objects.`)
    }
  }
}
