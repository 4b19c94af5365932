import { AppError } from '../../kernel/errors.ts'
import type { UpstreamFailure } from '../../upstream/http/errors.ts'
import type { Context } from '../context.ts'

/** The webhook fields that the hub needs: those that it processes, and those that receivers of raw bodies expect. */
const REQUIRED_FIELDS = [
  'messages',
  'smb_message_echoes',
  'smb_app_state_sync',
  'history',
  'calls',
  'user_preferences',
  'message_template_status_update',
  'message_template_quality_update',
  'message_template_components_update',
  'template_category_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'security',
  'account_update',
  'account_alerts',
  'account_review_update',
  'business_capability_update',
]

/** Fields that not every app may subscribe to. */
const OPTIONAL_FIELDS = [
  'flows',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'user_id_update',
  'business_username_updates',
]

type AppCalls = Pick<Context['upstream']['app'], 'subscribeCallback'>
type Callback = { callbackUrl: string; verifyToken: string }

/**
 * Registers the hub's callback for all fields, or for as many of the optional ones as the upstream accepts: one refused field
 * makes it refuse the whole list. A call replaces the list of the one before, and a refused one changes nothing.
 */
export async function subscribeApp(app: AppCalls, { callbackUrl, verifyToken }: Callback) {
  const subscribe = (fields: string[]) => app.subscribeCallback({ callbackUrl, verifyToken, fields })
  let optional = [...OPTIONAL_FIELDS]
  let result = await subscribe([...REQUIRED_FIELDS, ...optional])
  for (;;) {
    const named = result.ok ? undefined : findNamedField(result.failure, optional)
    if (named === undefined) break
    optional = optional.filter((field) => field !== named)
    result = await subscribe([...REQUIRED_FIELDS, ...optional])
  }
  if (!result.ok && result.failure.kind === 'refused') {
    const candidates = optional
    optional = []
    result = await subscribe(REQUIRED_FIELDS)
    for (const field of result.ok ? candidates : []) {
      if ((await subscribe([...REQUIRED_FIELDS, ...optional, field])).ok) optional.push(field)
    }
  }
  if (!result.ok) {
    const reason = result.failure.title ?? 'no response'
    throw new AppError('UPSTREAM_REJECTED', 'callback_url_not_accepted', {
      parameters: { url: callbackUrl, title: reason },
    })
  }
  return {
    callback_url: callbackUrl,
    fields: [...REQUIRED_FIELDS, ...optional],
    not_subscribed: OPTIONAL_FIELDS.filter((field) => !optional.includes(field)),
  }
}

/** The field that a refusal names. Names are parts of no other names, and a list of the allowed ones names no single field. */
function findNamedField({ kind, message, title, details }: UpstreamFailure, fields: string[]): string | undefined {
  if (kind !== 'refused') return undefined
  const text = [message, title, details].join(' ')
  const named = fields.filter((field) => new RegExp(`\\b${field}\\b`).test(text))
  return named.length === 1 ? named[0] : undefined
}
