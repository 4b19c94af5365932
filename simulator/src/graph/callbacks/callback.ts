import type { JsonObject } from '../../json.ts'
import { GraphError, invalid } from '../http/errors.ts'
import type { App } from '../options.ts'
import type { State } from '../state.ts'

/** One change of a webhook payload. */
export interface Update {
  /** The account, or for partner events the partner's business. */
  entryId: string
  field: string
  value: JsonObject
  /** Absent for partner events, which need no subscription to an account. */
  wabaId?: string
  phoneId?: string
  /** True if the entry has a time. Messaging fields have none. */
  isTimed?: boolean
}

export interface AppCallback {
  url: string | undefined
  /** undefined subscribes to every field. */
  fields: string[] | undefined
  /** Fields that this app may not subscribe to. */
  refusedFields: readonly string[]
  /** True if the refusal of a field names the field. */
  namesRefused: boolean
}

const CALLBACK_URL_MAX = 200

/** The fields that an account or a number can send to a callback of its own. All others go to that of the app. */
const OVERRIDABLE = new Set([
  'account_settings_update',
  'calls',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'history',
  'messages',
  'messaging_handovers',
  'smb_app_state_sync',
  'smb_message_echoes',
])

/** The URL that receives an update; undefined without a subscription. That of a number precedes that of its account. */
export function findCallbackUrl(state: State, app: AppCallback, update: Update): string | undefined {
  if (app.fields && !app.fields.includes(update.field)) return undefined
  const account = update.wabaId === undefined ? undefined : state.accounts.get(update.wabaId)
  if (update.wabaId !== undefined && !account?.isSubscribed) return undefined
  if (!OVERRIDABLE.has(update.field)) return app.url
  return state.numberSettings.get(update.phoneId ?? '')?.callbackUrl ?? account?.callbackUrl ?? app.url
}

/** The address of a callback that replaces the app's, once it has answered the challenge. */
export async function requireCallback(
  { url, path, verifyToken }: { url: string; path: string; verifyToken: string },
  nonce: string,
  app: App,
): Promise<string> {
  if (url.length > CALLBACK_URL_MAX) {
    throw invalid(`Param ${path} must be at most ${CALLBACK_URL_MAX} characters long.`)
  }
  await verifyCallback(url, verifyToken, nonce, app)
  return url
}

/** Sends the verification challenge to a callback, and throws unless the callback repeats it. */
export async function verifyCallback(url: string, verifyToken: string, nonce: string, app: App): Promise<void> {
  const refuse = (reason: string) => {
    return new GraphError(400, {
      message: `(#2200) Callback verification failed with the following errors: ${reason}`,
      code: 2200,
      error_data: { app_id: app.id },
    })
  }
  if (!URL.canParse(url)) throw refuse('The URL is malformed')
  const target = new URL(url)
  target.searchParams.set('hub.mode', 'subscribe')
  target.searchParams.set('hub.challenge', nonce)
  target.searchParams.set('hub.verify_token', verifyToken)
  const response = await fetch(target, { redirect: 'manual', signal: AbortSignal.timeout(10_000) }).catch(
    () => undefined,
  )
  if (!response) throw refuse('The URL could not be reached')
  const body = await response.text()
  if (response.status !== 200) throw refuse(`HTTP Status Code = ${response.status}`)
  if (body !== nonce) throw refuse('The response does not match the challenge')
}
