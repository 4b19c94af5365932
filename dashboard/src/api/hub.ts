import { ConsoleHub } from '@hubline/sdk/console'
import { noteResponse } from '../live/contact.ts'

/** The hub that serves this page. The browser adds the cookie of the session; the query library repeats what failed. */
export const hub = new ConsoleHub({ url: location.origin, retries: 0, timeoutMs: 30_000, fetch: fetchAndNote })

async function fetchAndNote(...request: Parameters<typeof fetch>): Promise<Response> {
  return noteResponse(await fetch(...request))
}
