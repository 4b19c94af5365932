import { BoundedMap } from './bounded-map.ts'
import type { ChangeNotifier } from './change-notifier.ts'
import type { TokenLocation } from './graph/http/access.ts'
import type { JsonObject } from './json.ts'

/** One request to the simulated Graph API. Secrets are redacted. */
export interface RequestRecord {
  id: string
  at: number
  method: string
  path: string
  version: string
  /** The place of the token in the request: anything but `bearer` or `oauth` is a mistake of the client. */
  token_in: TokenLocation
  params: JsonObject
  /** null if the client got no response. */
  status: number | null
  fault: string | null
}

const RECORDS_MAX = 5_000
const SECRETS = ['client_secret', 'access_token', 'input_token', 'code', 'pin', 'appsecret_proof', 'verify_token']

export type RequestLog = ReturnType<typeof createRequestLog>

export function createRequestLog(notifier: ChangeNotifier) {
  const records = new BoundedMap<RequestRecord>({ entriesMax: RECORDS_MAX })
  let count = 0

  return {
    add(record: Omit<RequestRecord, 'id'>): void {
      const params = Object.fromEntries(
        Object.entries(record.params).map(([name, value]) => [name, SECRETS.includes(name) ? '[hidden]' : value]),
      )
      const id = `request-${++count}`
      records.set(id, { ...record, id, params })
      notifier.notify()
    },
    list: () => [...records.values()],
    clear: () => records.clear(),
  }
}
