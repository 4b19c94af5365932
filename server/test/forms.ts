import type { Answer, Client } from './client.ts'
import { ORIGIN } from './hub.ts'

/** Posts a form as a browser does on a page of the hub, or with other headers. */
export function postForm(
  client: Client,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN, ...headers }
  return client.send('POST', path, { raw: new URLSearchParams(fields).toString(), headers: form })
}

/** The text of a page as a person reads it. */
export function readPageText({ text }: Answer): string {
  const [, main = ''] = /<main>(.*)<\/main>/s.exec(text) ?? []
  return main
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
