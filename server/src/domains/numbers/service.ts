import type { Cursors } from '../../kernel/crypto/cursor.ts'
import type { Pool } from '../../kernel/db/pool.ts'
import { notFound } from '../../kernel/errors.ts'
import { isObjectMissing, type Result } from '../../upstream/http/errors.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Audit } from '../audit/service.ts'
import type { Principal } from '../auth/principal.ts'
import type { ChannelConnections, Credential } from '../channels/connection/service.ts'
import type { QrCodeQuery, SaveQrCode, SetUsername } from './schemas.ts'

type Dependencies = { sql: Pool; upstream: Upstream; connections: ChannelConnections; cursors: Cursors; audit: Audit }
type Page = { limit: number; cursor?: string }

/** The settings that the audit log names, as the upstream does. */
type Setting = 'block_users' | 'message_qrdls' | 'username'
type Change = { setting: Setting; change: 'set' | 'deleted' }

export type Numbers = ReturnType<typeof createNumbers>

/** The upstream stores these for a number: whom it has blocked, its QR codes and its username. */
export function createNumbers({ sql, upstream, connections, cursors, audit }: Dependencies) {
  async function call<T>(
    organizationId: string,
    channelId: string,
    run: (credential: Credential) => Promise<Result<T>>,
    absent?: 'qr_code_not_found',
  ): Promise<T> {
    const credential = await connections.credential(organizationId, channelId)
    const result = await run(credential)
    if (!result.ok && absent && isObjectMissing(result.failure)) throw notFound(absent)
    if (!result.ok) return connections.fail({ organizationId, id: channelId }, credential.token, result.failure)
    return result.value
  }

  async function record({ organizationId, initiator }: Principal, channelId: string, details: Change): Promise<void> {
    const target = { type: 'channel', id: channelId }
    await sql.begin((tx) =>
      audit.record(tx, { organizationId, initiator, action: 'channel.number_changed', target, details }),
    )
  }

  async function changeBlockList(
    principal: Principal,
    channelId: string,
    people: readonly string[],
    { write, change }: { write: 'block' | 'unblock'; change: Change['change'] },
  ) {
    const result = await call(principal.organizationId, channelId, ({ token, phoneNumberId }) =>
      upstream.blockList[write](token, phoneNumberId, people),
    )
    if (result.changed.length > 0) await record(principal, channelId, { setting: 'block_users', change })
    return result
  }

  async function saveQrCode(principal: Principal, channelId: string, body: SaveQrCode & { code?: string }) {
    const saved = await call(
      principal.organizationId,
      channelId,
      ({ token, phoneNumberId }) => upstream.qrCodes.save(token, phoneNumberId, body),
      body.code === undefined ? undefined : 'qr_code_not_found',
    )
    await record(principal, channelId, { setting: 'message_qrdls', change: 'set' })
    return saved
  }

  /** A page of a list of the upstream, whose cursor is bound to the list, the channel and the page's parameters. */
  async function readPage<T>(
    scope: (string | number)[],
    cursor: string | undefined,
    read: (after: { after?: string }) => Promise<{ data: T[]; after: string | null }>,
  ) {
    const { data, after } = await read(cursor === undefined ? {} : { after: cursors.decode(cursor, scope) })
    return { data, next_cursor: after === null ? null : cursors.encode(after, scope) }
  }

  return {
    async listBlocked(organizationId: string, channelId: string, { limit, cursor }: Page) {
      const { data, next_cursor } = await readPage(['blocked', organizationId, channelId, limit], cursor, (page) =>
        call(organizationId, channelId, ({ token, phoneNumberId }) =>
          upstream.blockList.list(token, phoneNumberId, { limit, ...page }),
        ),
      )
      const blocked = data.map((person) => ({ person: person.wa_id ?? person.user_id ?? '', ...person }))
      return { blocked, next_cursor }
    },

    async block(principal: Principal, channelId: string, people: readonly string[]) {
      const { changed, failed } = await changeBlockList(principal, channelId, people, { write: 'block', change: 'set' })
      return { blocked: changed, failed }
    },

    async unblock(principal: Principal, channelId: string, people: readonly string[]) {
      const write = { write: 'unblock', change: 'deleted' } as const
      const { changed, failed } = await changeBlockList(principal, channelId, people, write)
      return { unblocked: changed, failed }
    },

    async listQrCodes(organizationId: string, channelId: string, { limit, cursor, image }: QrCodeQuery) {
      const scope = ['qr-codes', organizationId, channelId, limit, image ?? '']
      const { data: qr_codes, next_cursor } = await readPage(scope, cursor, (page) =>
        call(organizationId, channelId, ({ token, phoneNumberId }) =>
          upstream.qrCodes.list(token, phoneNumberId, { limit, ...page, ...(image && { image }) }),
        ),
      )
      return { qr_codes, next_cursor }
    },

    createQrCode: (principal: Principal, channelId: string, body: SaveQrCode) => saveQrCode(principal, channelId, body),

    updateQrCode: (principal: Principal, channelId: string, code: string, body: SaveQrCode) =>
      saveQrCode(principal, channelId, { ...body, code }),

    async deleteQrCode(principal: Principal, channelId: string, code: string) {
      await call(
        principal.organizationId,
        channelId,
        ({ token, phoneNumberId }) => upstream.qrCodes.delete(token, phoneNumberId, code),
        'qr_code_not_found',
      )
      await record(principal, channelId, { setting: 'message_qrdls', change: 'deleted' })
      return { code, deleted: true }
    },

    readUsername: (organizationId: string, channelId: string) =>
      call(organizationId, channelId, ({ token, phoneNumberId }) => upstream.usernames.get(token, phoneNumberId)),

    async setUsername(principal: Principal, channelId: string, { username }: SetUsername) {
      const { status } = await call(principal.organizationId, channelId, ({ token, phoneNumberId }) =>
        upstream.usernames.set(token, phoneNumberId, username),
      )
      await record(principal, channelId, { setting: 'username', change: 'set' })
      return { username, status }
    },

    async deleteUsername(principal: Principal, channelId: string) {
      await call(principal.organizationId, channelId, ({ token, phoneNumberId }) =>
        upstream.usernames.delete(token, phoneNumberId),
      )
      await record(principal, channelId, { setting: 'username', change: 'deleted' })
      return { username: null, status: null }
    },
  }
}
