import type { Clock } from '../../kernel/clock.ts'
import { TOKEN_PREFIX } from '../../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { AppError, invalidRequest, notFound } from '../../kernel/errors.ts'
import type { Initiator } from '../audit/initiator.ts'
import type { Audit } from '../audit/service.ts'
import type { Principal } from '../auth/principal.ts'
import { findMissingScopes, type Scope } from '../auth/scopes.ts'
import type { Auth } from '../auth/service.ts'
import type { ApiKey, CreateApiKey } from './schemas.ts'

const WARNING = 'Store the secret now: it cannot be shown again.'

export type ApiKeys = ReturnType<typeof createApiKeys>

export function createApiKeys({ sql, auth, audit, now }: { sql: Pool; auth: Auth; audit: Audit; now: Clock }) {
  async function find(tx: Pool | Tx, organizationId: string, id: string): Promise<ApiKey> {
    const [row] = await auth.list(tx, { organizationId, kind: 'api_key', id })
    if (!row) throw notFound('API key')
    return { ...row, prefix: TOKEN_PREFIX.api_key }
  }

  async function issue(
    tx: Tx,
    key: { organizationId: string; initiator: Initiator; name: string; scopes: Scope[]; expiresAt: string | null },
  ) {
    const { organizationId, initiator, name, scopes, expiresAt } = key
    const { id, token } = await auth.issue(tx, {
      organizationId,
      kind: 'api_key',
      name,
      scopes,
      expiresAt,
      channelId: null,
    })
    await audit.record(tx, {
      organizationId,
      initiator,
      action: 'api_key.created',
      target: { type: 'api_key', id },
      details: { name, scopes, expires_at: expiresAt },
    })
    return { id, token }
  }

  return {
    issue,

    async list(organizationId: string): Promise<ApiKey[]> {
      const rows = await auth.list(sql, { organizationId, kind: 'api_key', id: null })
      return rows.map((row) => ({ ...row, prefix: TOKEN_PREFIX.api_key }))
    },

    async create({ organizationId, initiator, scopes: grantedScopes }: Principal, body: CreateApiKey) {
      const missing = findMissingScopes(body.scopes, grantedScopes)
      if (missing.length > 0) {
        throw new AppError('INSUFFICIENT_SCOPE', `You cannot grant scopes that you do not have: ${missing.join(', ')}.`)
      }
      const expiresAt = body.expires_at ?? null
      if (expiresAt !== null && Date.parse(expiresAt) <= now().getTime()) {
        throw invalidRequest('expires_at is in the past.', [{ path: '/expires_at', message: 'must be in the future' }])
      }
      return sql.begin(async (tx) => {
        const { name, scopes } = body
        const { id, token } = await issue(tx, { organizationId, initiator, name, scopes, expiresAt })
        return { api_key: await find(tx, organizationId, id), secret: token, warning: WARNING }
      })
    },

    /** Takes effect with the commit, because every request reads its key from the database. A repeat changes nothing. */
    async revoke({ organizationId, initiator }: Principal, id: string): Promise<ApiKey> {
      return sql.begin(async (tx) => {
        const revoked = await auth.revoke(tx, { organizationId, kind: 'api_key', id })
        if (!revoked) throw notFound('API key')
        if (revoked.changed) {
          await audit.record(tx, {
            organizationId,
            initiator,
            action: 'api_key.revoked',
            target: { type: 'api_key', id },
          })
        }
        return find(tx, organizationId, id)
      })
    },
  }
}
