/** A URL as the audit log keeps it. A query may carry a token of the receiver's, and the log has readers of its own. */
export function auditedUrl(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
