import { isObject, type Json } from '../../json.ts'
import { invalidParam } from './errors.ts'

/** Reads one parameter of a form, or refuses it with its path and Stripe's message. */
export type Read<T> = (param: Json, path: string) => T

export type Params<R> = R extends Read<infer T> ? T : never

type Shape = Readonly<Record<string, Read<unknown>>>
type Members<S extends Shape> = { [K in keyof S]: Params<S[K]> }

const METADATA = { keysMax: 50, keyLengthMax: 40, valueLengthMax: 500 }
const LIST_LENGTH_MAX = 100
const TEXT_LENGTH_MAX = 5_000

/** Refuses every other parameter as unknown, including those that only Stripe itself supports. */
export function object<S extends Shape>(shape: S): Read<Members<S>> {
  return (param, path) => {
    if (param === undefined) throw missing(path)
    if (!isObject(param)) throw invalidParam('Invalid object', path)
    const unknown = Object.keys(param).find((name) => !Object.hasOwn(shape, name))
    if (unknown !== undefined) {
      const param = join(path, unknown)
      throw invalidParam(`Received unknown parameter: ${param}`, param, 'parameter_unknown')
    }
    const members = Object.entries(shape).map(([name, read]) => [name, read(param[name], join(path, name))])
    return Object.fromEntries(members) as Members<S>
  }
}

export function optional<T>(read: Read<T>): Read<T | undefined> {
  return (param, path) => (param === undefined ? undefined : read(param, path))
}

export function list<T>(read: Read<T>): Read<T[]> {
  return (param, path) => {
    if (param === undefined) throw missing(path)
    if (!Array.isArray(param)) throw invalidParam('Invalid array', path)
    if (param.length > LIST_LENGTH_MAX) {
      throw invalidParam(`Array ${path} exceeded maximum ${LIST_LENGTH_MAX} allowed elements.`, path)
    }
    return param.map((item, index) => read(item, join(path, String(index))))
  }
}

export const text: Read<string> = (param, path) => {
  if (param === undefined) throw missing(path)
  if (typeof param !== 'string') throw invalidParam(`Invalid string: ${JSON.stringify(param)}`, path)
  if (param === '') {
    const message = `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; however '${path}' cannot be unset. You should remove '${path}' from your request or supply a non-empty value.`
    throw invalidParam(message, path, 'parameter_invalid_empty')
  }
  if (param.length > TEXT_LENGTH_MAX) {
    throw invalidParam(`Invalid string: must be at most ${TEXT_LENGTH_MAX} characters`, path)
  }
  return param
}

/** A quantity, an amount or a timestamp. */
export const natural: Read<number> = (param, path) => {
  const value = text(param, path)
  const code = 'parameter_invalid_integer'
  if (!/^-?\d{1,15}$/.test(value)) throw invalidParam(`Invalid integer: ${value}`, path, code)
  if (Number(value) < 0) throw invalidParam('This value must be greater than or equal to 0.', path, code)
  return Number(value)
}

export const boolean: Read<boolean> = (param, path) => {
  const value = text(param, path)
  if (value !== 'true' && value !== 'false') throw invalidParam(`Invalid boolean: ${value}`, path)
  return value === 'true'
}

export function choice<const T extends string>(...allowed: T[]): Read<T> {
  return (param, path) => {
    const value = text(param, path)
    const match = allowed.find((item) => item === value)
    if (match === undefined) throw invalidParam(`Invalid ${path}: must be one of ${allowed.join(', ')}`, path)
    return match
  }
}

export const url: Read<string> = (param, path) => {
  const value = text(param, path)
  const isUrl = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  if (!isUrl) throw invalidParam('Not a valid URL', path, 'url_invalid')
  return value
}

/** An empty value unsets its key. */
export const metadata: Read<Record<string, string>> = (param, path) => {
  if (!isObject(param)) throw invalidParam('Invalid object', path)
  const entries = Object.entries(param)
  const { keysMax, keyLengthMax, valueLengthMax } = METADATA
  if (entries.length > keysMax) throw invalidParam(`Metadata can have up to ${keysMax} keys.`, path)
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw invalidParam(`Invalid string: ${JSON.stringify(value)}`, join(path, name))
    const isTooLong = name.length > keyLengthMax || value.length > valueLengthMax
    if (!isTooLong) continue
    const message = `Metadata keys can have up to ${keyLengthMax} characters, and values up to ${valueLengthMax} characters.`
    throw invalidParam(message, path)
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Record<string, string>
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}[${name}]`
}

function missing(path: string) {
  return invalidParam(`Missing required param: ${path}.`, path, 'parameter_missing')
}
