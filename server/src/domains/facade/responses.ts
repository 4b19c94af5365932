import type { Readable } from 'node:stream'

/** The upstream's JSON, or the bytes of a file. */
export type FacadeResponse = { status: 200 | 206; headers: Record<string, string>; body: string | Readable }

export function toJsonResponse(body: string): FacadeResponse {
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body }
}
