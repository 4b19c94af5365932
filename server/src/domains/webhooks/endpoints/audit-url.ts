/** Removes query and fragment, which may hold a token of the receiver: members who read the audit log must not see it. */
export function toAuditUrl(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
