import { isObject, toList, toNumber, toText } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'

type AccessToken = { access_token: string; token_type: string | null; expires_in: number | null }

export type DebuggedToken = {
  is_valid: boolean
  app_id: string | null
  type: string | null
  /** Seconds since 1970; 0 for a token that never expires. */
  expires_at: number | null
  data_access_expires_at: number | null
  scopes: string[]
  /** `target_ids` is null if the scope is not limited to some accounts. */
  granular_scopes: { scope: string; target_ids: string[] | null }[]
  user_id: string | null
}

export function createOauthCalls(client: UpstreamClient, app: { appId: string; appSecret: string }) {
  return {
    /** A GET that consumes the code, so it is a write: a second attempt would find the code used. */
    exchangeCode(code: string): Promise<Result<AccessToken>> {
      return client.call({
        name: 'oauth.exchangeCode',
        method: 'GET',
        effect: 'write',
        to: ['oauth', 'access_token'],
        query: { client_id: app.appId, client_secret: app.appSecret, code },
        secrets: [code],
        read: readAccessToken,
      })
    },

    /** Reads a token's scopes and expiry. For an invalid token the call succeeds with `is_valid: false`. */
    debugToken(token: string): Promise<Result<DebuggedToken>> {
      return client.call({
        name: 'oauth.debugToken',
        method: 'GET',
        to: ['debug_token'],
        query: { input_token: token },
        asApp: true,
        secrets: [token],
        read: readDebuggedToken,
      })
    },
  }
}

function readAccessToken(body: unknown): AccessToken | undefined {
  if (!isObject(body) || typeof body.access_token !== 'string' || body.access_token === '') return undefined
  const { access_token, token_type, expires_in } = body
  return { access_token, token_type: toText(token_type), expires_in: toNumber(expires_in) }
}

function readDebuggedToken(body: unknown): DebuggedToken | undefined {
  const data = isObject(body) ? body.data : undefined
  if (!isObject(data) || typeof data.is_valid !== 'boolean') return undefined
  return {
    is_valid: data.is_valid,
    app_id: toText(data.app_id),
    type: toText(data.type),
    expires_at: toNumber(data.expires_at),
    data_access_expires_at: toNumber(data.data_access_expires_at),
    scopes: readTexts(data.scopes),
    granular_scopes: toList(data.granular_scopes)
      .filter(isObject)
      .map(({ scope, target_ids: ids }) => ({
        scope: toText(scope) ?? '',
        target_ids: ids == null ? null : readTexts(ids),
      })),
    user_id: toText(data.user_id),
  }
}

function readTexts(value: unknown): string[] {
  return toList(value)
    .map(toText)
    .filter((text) => text !== null)
}
