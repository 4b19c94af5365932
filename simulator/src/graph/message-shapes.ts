import { isObject, type JsonObject } from '../json.ts'
import { invalid, refusal, required } from './errors.ts'
import { interactiveProblem } from './interactive-shapes.ts'
import { type LaterFailure, mediaProblem, type ShapeContext } from './media-shapes.ts'
import { objectAt, objectsAt, onlyKeys, pathTo, textAt } from './parameters.ts'

/** Throws what the platform refuses at once; returns what it refuses later. */
type Shape = (params: JsonObject, context: ShapeContext) => LaterFailure | undefined

const CONTACTS_MAX = 257

export const MESSAGE_SHAPES: Readonly<Record<string, Shape>> = {
  text(params) {
    const text = objectAt(params, 'text')
    onlyKeys(text, 'text', ['body', 'preview_url'])
    textAt(text, 'body', 'text', 4_096)
    return undefined
  },
  image: (params, context) => mediaProblem(params, 'image', ['caption'], context),
  video: (params, context) => mediaProblem(params, 'video', ['caption'], context),
  audio: (params, context) => mediaProblem(params, 'audio', ['voice'], context),
  document: (params, context) => mediaProblem(params, 'document', ['caption', 'filename'], context),
  sticker: (params, context) => mediaProblem(params, 'sticker', [], context),
  location(params) {
    const location = objectAt(params, 'location')
    onlyKeys(location, 'location', ['latitude', 'longitude', 'name', 'address'])
    coordinate(location, 'latitude', 90)
    coordinate(location, 'longitude', 180)
    return undefined
  },
  contacts(params) {
    const contacts = objectsAt(params, 'contacts')
    if (contacts.length < 1 || contacts.length > CONTACTS_MAX) {
      throw refusal(131009, `Invalid contacts count. Min allowed contacts: 1, Max allowed contacts: ${CONTACTS_MAX}`)
    }
    contacts.forEach(checkContact)
    return undefined
  },
  reaction(params) {
    const reaction = objectAt(params, 'reaction')
    onlyKeys(reaction, 'reaction', ['message_id', 'emoji'])
    textAt(reaction, 'message_id', 'reaction')
    if (typeof reaction.emoji !== 'string') throw required("reaction['emoji']")
    return undefined
  },
  interactive: (params, context) => interactiveProblem(objectAt(params, 'interactive'), context),
}

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
  const path = pathTo('contacts', index)
  onlyKeys(contact, path, ['addresses', 'birthday', 'emails', 'name', 'org', 'phones', 'urls'])
  const name = objectAt(contact, 'name', path)
  const namePath = pathTo(path, 'name')
  onlyKeys(name, namePath, ['formatted_name', ...NAME_PARTS])
  textAt(name, 'formatted_name', namePath)
  if (!NAME_PARTS.some((part) => typeof name[part] === 'string' && name[part] !== '')) {
    throw refusal(131009, 'At least one of the name parts must be given besides formatted_name.')
  }
  if (contact.birthday !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(String(contact.birthday))) {
    throw refusal(131009, 'The birthday must be written YYYY-MM-DD.')
  }
  for (const list of ['phones', 'emails', 'addresses', 'urls']) {
    if (contact[list] !== undefined && !(Array.isArray(contact[list]) && contact[list].every(isObject))) {
      throw invalid(`Param ${pathTo(path, list)} must be an array of JSON objects.`)
    }
  }
}
