import { invalidPart, toIssue } from '../../../kernel/errors.ts'

type HttpFilter = { from: number; to: number } | 'none'

/** `404` is from 404 to 404, `4xx` from 400 to 499, and `none` an attempt without a response. */
export function parseHttpFilter(text: string): HttpFilter {
  if (text === 'none') return text
  if (!/^[1-5](?:xx|[0-9]{2})$/.test(text)) throw invalidPart('query', [toIssue('/http_status', 'not_http_filter')])
  return { from: Number(text.replace('xx', '00')), to: Number(text.replace('xx', '99')) }
}
