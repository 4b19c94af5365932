import { isObject, type Json } from '../../json.ts'
import { malformed } from './errors.ts'

/** Reads one parameter out of a form, or says in the provider's words what is wrong with it. */
export type Read<T> = (given: Json, path: string) => T

export type Params<R> = R extends Read<infer T> ? T : never

type Shape = Readonly<Record<string, Read<unknown>>>
type Members<S extends Shape> = { [K in keyof S]: Params<S[K]> }

/** Keys may be unset with an empty value, which reads as null. */
export type Metadata = Record<string, string | null>

const METADATA = { keysMax: 50, keyLengthMax: 40, valueLengthMax: 500 }
const TEXT_LENGTH_MAX = 5_000

/** A parameter that the provider knows and this double does not is refused like one that nobody knows. */
export function object<S extends Shape>(shape: S): Read<Members<S>> {
  return (given, path) => {
    if (given === undefined) throw absent(path)
    if (!isObject(given)) throw malformed(`Invalid object`, path)
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(shape, name))
    if (unknown !== undefined) {
      const param = within(path, unknown)
      throw malformed(`Received unknown parameter: ${param}`, param, 'parameter_unknown')
    }
    const members = Object.entries(shape).map(([name, read]) => [name, read(given[name], within(path, name))])
    return Object.fromEntries(members) as Members<S>
  }
}

export function optional<T>(read: Read<T>): Read<T | undefined> {
  return (given, path) => (given === undefined ? undefined : read(given, path))
}

/** An empty value unsets what was there. */
export function emptyable<T>(read: Read<T>): Read<T | null> {
  return (given, path) => (given === '' ? null : read(given, path))
}

export function list<T>(read: Read<T>, lengthMax = 100): Read<T[]> {
  return (given, path) => {
    if (given === undefined) throw absent(path)
    if (!Array.isArray(given)) throw malformed('Invalid array', path)
    if (given.length > lengthMax) throw malformed(`Array ${path} exceeded maximum ${lengthMax} allowed elements.`, path)
    return given.map((item, index) => read(item, within(path, String(index))))
  }
}

export const text: Read<string> = (given, path) => {
  if (given === undefined) throw absent(path)
  if (typeof given !== 'string') throw malformed(`Invalid string: ${JSON.stringify(given)}`, path)
  if (given === '') throw cannotUnset(path)
  if (given.length > TEXT_LENGTH_MAX) {
    throw malformed(`Invalid string: must be at most ${TEXT_LENGTH_MAX} characters`, path)
  }
  return given
}

export const integer: Read<number> = (given, path) => {
  const value = text(given, path)
  if (!/^-?\d{1,15}$/.test(value)) throw malformed(`Invalid integer: ${value}`, path, 'parameter_invalid_integer')
  return Number(value)
}

/** A count of something, or an amount that is not a credit. */
export const natural: Read<number> = (given, path) => {
  const value = integer(given, path)
  if (value < 0) throw malformed('This value must be greater than or equal to 0.', path, 'parameter_invalid_integer')
  return value
}

export const boolean: Read<boolean> = (given, path) => {
  const value = text(given, path)
  if (value !== 'true' && value !== 'false') throw malformed(`Invalid boolean: ${value}`, path)
  return value === 'true'
}

export function choice<const T extends string>(...allowed: T[]): Read<T> {
  return (given, path) => {
    const value = text(given, path)
    const match = allowed.find((item) => item === value)
    if (match === undefined) throw malformed(`Invalid ${path}: must be one of ${allowed.join(', ')}`, path)
    return match
  }
}

export const url: Read<string> = (given, path) => {
  const value = text(given, path)
  // The one placeholder that may stand in an address is not allowed to make it invalid.
  const isUrl = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  if (!isUrl) throw malformed('Not a valid URL', path, 'url_invalid')
  return value
}

export const metadata: Read<Metadata> = (given, path) => {
  if (given === undefined) throw absent(path)
  if (!isObject(given)) throw malformed('Invalid object', path)
  const entries = Object.entries(given)
  if (entries.length > METADATA.keysMax) {
    throw malformed(`Metadata can have up to ${METADATA.keysMax} keys, but you passed in ${entries.length}.`, path)
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, metadataValue(name, value, path)]))
}

function metadataValue(name: string, value: Json, path: string): string | null {
  if (name.length > METADATA.keyLengthMax) {
    const message = `Metadata keys can have up to ${METADATA.keyLengthMax} characters, but you passed in ${name.length}.`
    throw malformed(message, path)
  }
  if (typeof value !== 'string') throw malformed(`Invalid string: ${JSON.stringify(value)}`, within(path, name))
  if (value.length > METADATA.valueLengthMax) {
    const message = `Metadata values can have up to ${METADATA.valueLengthMax} characters, but you passed in a value that is ${value.length} characters.`
    throw malformed(message, path)
  }
  return value === '' ? null : value
}

/** `created=…` or `created[gte]=…`, as lists take it. */
export const range: Read<Range> = (given, path) => {
  if (typeof given === 'string') {
    const exact = integer(given, path)
    return { gte: exact, lte: exact, gt: undefined, lt: undefined }
  }
  return object({ gt: optional(integer), gte: optional(integer), lt: optional(integer), lte: optional(integer) })(
    given,
    path,
  )
}

export interface Range {
  gt: number | undefined
  gte: number | undefined
  lt: number | undefined
  lte: number | undefined
}

export function isWithin(value: number, { gt, gte, lt, lte }: Range): boolean {
  return (
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte) &&
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte)
  )
}

function within(path: string, name: string): string {
  return path === '' ? name : `${path}[${name}]`
}

function absent(path: string) {
  return malformed(`Missing required param: ${path}.`, path, 'parameter_missing')
}

function cannotUnset(path: string) {
  const message = `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; however '${path}' cannot be unset. You should remove '${path}' from your request or supply a non-empty value.`
  return malformed(message, path, 'parameter_invalid_empty')
}
