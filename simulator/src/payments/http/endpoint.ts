import type { JsonObject } from '../../json.ts'
import type { Payments } from '../context.ts'
import { missing } from './errors.ts'
import type { Read } from './params.ts'

export interface Call<P> {
  params: P
  /** The first open part of the path, which names the object. */
  id: string
}

export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE'
  /** Segments in the form `:name` match anything. */
  path: string
  /** Reads the parameters, which may refuse them, and returns what is then to be done. */
  prepare(form: JsonObject, id: string): (payments: Payments) => object
}

export function endpoint<P>(
  method: Endpoint['method'],
  path: string,
  params: Read<P>,
  run: (payments: Payments, call: Call<P>) => object,
): Endpoint {
  return {
    method,
    path,
    prepare(form, id) {
      const read = params(form, '')
      return (payments) => run(payments, { params: read, id })
    },
  }
}

export function found<T>(map: ReadonlyMap<string, T>, id: string, kind: string, param?: string): T {
  const object = map.get(id)
  if (object === undefined) throw missing(kind, id, param)
  return object
}
