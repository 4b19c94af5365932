import type { Requester } from './request.ts'

/** The generated resources extend this class. */
export class Resource {
  protected readonly requester: Requester

  constructor(requester: Requester) {
    this.requester = requester
  }
}

/** A path with its ids encoded. An empty id, `.` or `..` would make it the path of another operation. */
export function path(texts: TemplateStringsArray, ...ids: string[]): string {
  return texts.reduce((filled, text, index) => filled + encodeId(ids[index - 1]) + text)
}

function encodeId(id: unknown): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) {
    throw new TypeError(`An id must be a text that is not empty, not ${JSON.stringify(id)}.`)
  }
  return encodeURIComponent(id)
}
