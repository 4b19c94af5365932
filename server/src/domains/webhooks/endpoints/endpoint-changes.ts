import { type Change, listChanges, REDACTED_CHANGE } from '../../audit/changes.ts'
import { toAuditUrl } from './audit-url.ts'
import type { Webhook } from './schemas.ts'

/** Lists the changes of a PATCH for the audit log. If only the query of a URL differs, the log says only that it changed. */
export function listEndpointChanges(before: Webhook, after: Webhook): Record<string, Change> {
  const isUrlChanged = before.url !== after.url
  const changes = listChanges(selectFields(before), selectFields(after))
  return isUrlChanged && !changes.url ? { ...changes, url: REDACTED_CHANGE } : changes
}

/** By the names that the PATCH gives them. */
function selectFields({ name, url, events, payload_mode, media_urls, all_channels, channel_ids, status }: Webhook) {
  const address = { name, url: toAuditUrl(url) }
  return { ...address, event_types: events, payload_mode, media_urls, all_channels, channel_ids, status }
}
