import { randomBytes } from 'node:crypto'
import type { Pool } from '../../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../../kernel/db/tenant-rows.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import * as store from './store.ts'

const LIFE_SECONDS = 3600
const OPEN_MAX = 5
const ID_BYTES = 32
const DELETE_BATCH_SIZE = 1000
const TABLES = ['upload_sessions']

type Opener = Omit<store.SessionKey, 'id'>
type AnnouncedFile = { fileName: string; fileBytes: number }

export type UploadSessions = ReturnType<typeof createUploadSessions>

/**
 * Sessions of uploads, as Graph has them: a client announces a file, gets an id, and sends the bytes to it, maybe to another
 * process. A session ends with its upload, with an upload that was refused, with the token that opened it, or after an hour.
 */
export function createUploadSessions({ sql }: { sql: Pool }) {
  return {
    async open(opener: Opener, file: AnnouncedFile): Promise<string> {
      const id = randomBytes(ID_BYTES).toString('base64url')
      await sql.begin(async (tx) => {
        await store.lockOpenings(tx, opener.channelId)
        const { count, seconds } = await store.countOpen(tx, opener)
        if (count >= OPEN_MAX) throw tooManyOpen(seconds)
        await store.insertSession(tx, { ...opener, ...file, id, lifeSeconds: LIFE_SECONDS })
      })
      return id
    },

    /** One of another channel or another token does not exist. */
    async find(key: store.SessionKey): Promise<store.UploadSession> {
      const session = await store.findSession(sql, key)
      if (!session) throw notFound('upload_session_not_found')
      return session
    },

    end: (key: store.SessionKey): Promise<void> => store.deleteSession(sql, key),

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async deleteExpired(): Promise<void> {
      while ((await store.deleteExpired(sql, DELETE_BATCH_SIZE)) === DELETE_BATCH_SIZE);
    },
  }
}

function tooManyOpen(retryAfterSeconds: number): AppError {
  return new AppError('RATE_LIMITED', 'upload_sessions_open', { parameters: { limit: OPEN_MAX }, retryAfterSeconds })
}
