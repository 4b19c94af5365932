import type { IncomingMessage } from 'node:http'
import { asObject, type Json, type JsonObject, parseJson } from '../json.ts'

const BODY_BYTES_MAX = 8 * 1024 * 1024

/** Reads the whole body; undefined if it is too large. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  return size <= BODY_BYTES_MAX ? Buffer.concat(chunks) : undefined
}

/**
 * Parameters come from the query and from a form or JSON body, which takes
 * precedence. A body of another content type has no parameters.
 */
export function parseParameters(query: URLSearchParams, contentType: string, body: Buffer): JsonObject {
  return { ...fromPairs(query), ...bodyParameters(contentType, body) }
}

function bodyParameters(contentType: string, body: Buffer): JsonObject {
  if (contentType.startsWith('application/json')) return asObject(parseJson(body.toString()))
  if (contentType.startsWith('application/x-www-form-urlencoded'))
    return fromPairs(new URLSearchParams(body.toString()))
  return {}
}

/** In a query or form, objects and lists are JSON, and a name that ends in [] may repeat. */
function fromPairs(pairs: URLSearchParams): JsonObject {
  const parameters: JsonObject = {}
  for (const [name, value] of pairs) {
    if (name.endsWith('[]')) {
      const list = parameters[name.slice(0, -2)]
      parameters[name.slice(0, -2)] = [...(Array.isArray(list) ? list : []), value]
    } else {
      parameters[name] = structured(value)
    }
  }
  return parameters
}

function structured(value: string): Json {
  return /^[[{]/.test(value) ? (parseJson(value) ?? value) : value
}
