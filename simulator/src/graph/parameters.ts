import { isObject, type Json, type JsonObject } from '../json.ts'
import { invalid, required } from './errors.ts'

/** Readers of nested parameters that refuse in the platform's own words. Paths look like `text['body']`. */

export function pathTo(path: string, key: string | number): string {
  return typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}['${key}']`
}

export function objectAt(parent: JsonObject, key: string, path = ''): JsonObject {
  const value = parent[key]
  const where = pathTo(path, key)
  if (value === undefined || value === null) throw required(where)
  if (!isObject(value)) throw invalid(`Param ${where} must be a JSON object.`)
  return value
}

export function listAt(parent: JsonObject, key: string, path = ''): Json[] {
  const value = parent[key]
  const where = pathTo(path, key)
  if (value === undefined || value === null) throw required(where)
  if (!Array.isArray(value)) throw invalid(`Param ${where} must be an array.`)
  return value
}

export function objectsAt(parent: JsonObject, key: string, path = ''): JsonObject[] {
  return listAt(parent, key, path).map((item, index) => {
    if (!isObject(item)) throw invalid(`Param ${pathTo(pathTo(path, key), index)} must be a JSON object.`)
    return item
  })
}

export function textAt(parent: JsonObject, key: string, path: string, max?: number): string {
  const value = parent[key]
  const where = pathTo(path, key)
  if (value === undefined || value === null || value === '') throw required(where)
  if (typeof value !== 'string') throw invalid(`Param ${where} must be a string.`)
  if (max !== undefined && value.length > max) throw invalid(`Param ${where} must be at most ${max} characters long.`)
  return value
}

export function optionalTextAt(parent: JsonObject, key: string, path: string, max?: number): string | undefined {
  return parent[key] === undefined || parent[key] === '' ? undefined : textAt(parent, key, path, max)
}

export function onlyKeys(object: JsonObject, path: string, allowed: readonly string[]): void {
  const unexpected = Object.keys(object).find((key) => !allowed.includes(key))
  if (unexpected) throw invalid(`Unexpected key "${unexpected}" on param "${path}".`)
}

export function oneOf(value: Json, path: string, allowed: readonly string[]): string {
  if (typeof value === 'string' && allowed.includes(value)) return value
  throw invalid(`Param ${path} must be one of {${allowed.join(', ')}} - got "${String(value)}".`)
}
