import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { isObject, listOf, numberOf, textOf } from '../json.ts'

export type AccessToken = { access_token: string; token_type: string | null; expires_in: number | null }

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
  return { access_token, token_type: textOf(token_type), expires_in: numberOf(expires_in) }
}

function readDebuggedToken(body: unknown): DebuggedToken | undefined {
  const data = isObject(body) ? body.data : undefined
  if (!isObject(data) || typeof data.is_valid !== 'boolean') return undefined
  return {
    is_valid: data.is_valid,
    app_id: textOf(data.app_id),
    type: textOf(data.type),
    expires_at: numberOf(data.expires_at),
    data_access_expires_at: numberOf(data.data_access_expires_at),
    scopes: readTexts(data.scopes),
    granular_scopes: listOf(data.granular_scopes)
      .filter(isObject)
      .map(({ scope, target_ids: ids }) => ({
        scope: textOf(scope) ?? '',
        target_ids: ids == null ? null : readTexts(ids),
      })),
    user_id: textOf(data.user_id),
  }
}

function readTexts(value: unknown): string[] {
  return listOf(value)
    .map(textOf)
    .filter((text) => text !== null)
}
