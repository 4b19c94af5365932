import { type Issue, invalidPart, toIssue } from '../../kernel/errors.ts'
import type { ConnectLinkOptions } from './schemas.ts'

const METADATA_BYTES_MAX = 2048

/** White space, control characters and backslashes change the address that a browser opens. */
const SILENTLY_REWRITTEN = /[\s\p{C}\\]/u

/** Refuses options that a schema cannot judge. */
export function requireValidOptions({ success_url, failure_url, metadata }: ConnectLinkOptions): void {
  const issues: Issue[] = []
  if (success_url !== undefined && !isReturnUrl(success_url)) issues.push(toIssue('/success_url', 'not_return_url'))
  if (failure_url !== undefined && !isReturnUrl(failure_url)) issues.push(toIssue('/failure_url', 'not_return_url'))
  if (metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX) {
    issues.push(toIssue('/metadata', 'too_many_bytes', { maximum: METADATA_BYTES_MAX }))
  }
  const [first, ...others] = issues
  if (first) throw invalidPart('body', [first, ...others])
}

/** The page shows only the host of the address, so nothing else in it may look like a host. */
function isReturnUrl(text: string): boolean {
  if (SILENTLY_REWRITTEN.test(text) || !/^https:\/\/[^/]/i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.username === '' && url.password === ''
}
