import type { Clock } from '../../kernel/clock.ts'
import type { Cursors } from '../../kernel/crypto/cursor.ts'
import { TOKEN_PREFIX } from '../../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { AppError, invalidRequest, notFound, toIssue } from '../../kernel/errors.ts'
import type { PageQuery } from '../../kernel/http/schemas.ts'
import type { Initiator } from '../audit/initiator.ts'
import type { Audit } from '../audit/service.ts'
import { type Principal, requireScopesToGrant } from '../auth/principal.ts'
import type { Scope } from '../auth/scopes.ts'
import type { Auth } from '../auth/service.ts'
import { lockOrganization } from '../organizations/service.ts'
import type { ApiKey, CreateApiKey } from './schemas.ts'

const ACTIVE_KEYS_MAX = 1000
const WARNING = 'Store the secret now: it cannot be shown again.'

type Dependencies = { sql: Pool; auth: Auth; audit: Audit; cursors: Cursors; now: Clock }

export type ApiKeys = ReturnType<typeof createApiKeys>

export function createApiKeys({ sql, auth, audit, cursors, now }: Dependencies) {
  async function find(tx: Tx, organizationId: string, id: string): Promise<ApiKey> {
    const row = await auth.findApiKey(tx, organizationId, id)
    if (!row) throw notFound('api_key_not_found')
    return { ...row, prefix: TOKEN_PREFIX.api_key }
  }

  /** Throws unless the organization may have one more key. Other creations wait until the caller's transaction ends. */
  async function reserve(tx: Tx, organizationId: string): Promise<void> {
    await lockOrganization(tx, organizationId)
    const used = await auth.countActiveKeys(tx, organizationId)
    if (used < ACTIVE_KEYS_MAX) return
    const details = { quota: 'api_keys', limit: ACTIVE_KEYS_MAX, used }
    throw new AppError('QUOTA_EXCEEDED', 'api_keys_of_organization', {
      parameters: { limit: ACTIVE_KEYS_MAX },
      details,
    })
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

    async list(organizationId: string, { limit, cursor }: PageQuery) {
      const list = ['api_keys', organizationId]
      const before = cursor === undefined ? null : cursors.decode(cursor, list)
      const rows = await auth.listApiKeys({ organizationId, before, limit: limit + 1 })
      const { page, next_cursor } = cursors.toPage(rows, limit, list)
      return { api_keys: page.map((row): ApiKey => ({ ...row, prefix: TOKEN_PREFIX.api_key })), next_cursor }
    },

    async create(principal: Principal, body: CreateApiKey) {
      const { organizationId, initiator } = principal
      requireScopesToGrant(principal, body.scopes)
      const expiresAt = body.expires_at ?? null
      if (expiresAt !== null && Date.parse(expiresAt) <= now().getTime()) {
        throw invalidRequest('expires_in_past', { issues: [toIssue('/expires_at', 'not_in_future')] })
      }
      return sql.begin(async (tx) => {
        const { name, scopes } = body
        await reserve(tx, organizationId)
        const { id, token } = await issue(tx, { organizationId, initiator, name, scopes, expiresAt })
        return { api_key: await find(tx, organizationId, id), secret: token, warning: WARNING }
      })
    },

    /** Takes effect with the commit, because every request reads its key from the database. A repeat changes nothing. */
    async revoke({ organizationId, initiator }: Principal, id: string): Promise<ApiKey> {
      return sql.begin(async (tx) => {
        const revoked = await auth.revoke(tx, { organizationId, kind: 'api_key', id })
        if (!revoked) throw notFound('api_key_not_found')
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
