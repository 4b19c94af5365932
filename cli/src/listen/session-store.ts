import { join } from 'node:path'
import { findConfigDirectory, isRunning, readJsonFile, writePrivateFile } from '../files.ts'

type Env = Record<string, string | undefined>

/** A listener of this machine. `purpose` is what it was created for: another one is no substitute for it. */
type Session = { purpose: string; id: string; secret: string; pid: number; usedAt: string }

/** The hub forgets a listener after a minute without a connection, so an older one is of no use. */
const KEPT_MS = 10 * 60_000

function getPath(env: Env): string {
  return join(findConfigDirectory(env), 'listeners.json')
}

async function readSessions(env: Env): Promise<Session[]> {
  const stored = await readJsonFile(getPath(env))
  return Array.isArray(stored) ? stored.filter(isSession) : []
}

function isSession(value: unknown): value is Session {
  const { purpose, id, secret, pid, usedAt } = (value ?? {}) as Partial<Session>
  return [purpose, id, secret, usedAt].every((one) => typeof one === 'string') && Number.isInteger(pid)
}

/** The listener that a former run for the same purpose has left. That of a run which is still there is its own. */
export async function findLeftSession(env: Env, purpose: string): Promise<Session | undefined> {
  const sessions = await readSessions(env)
  return sessions.find(
    (one) => one.purpose === purpose && !isRunning(one.pid) && Date.now() - Date.parse(one.usedAt) < KEPT_MS,
  )
}

export async function storeSession(env: Env, session: Omit<Session, 'pid' | 'usedAt'>): Promise<void> {
  const others = (await readSessions(env)).filter(
    (one) =>
      one.id !== session.id &&
      one.pid !== process.pid &&
      (isRunning(one.pid) || Date.now() - Date.parse(one.usedAt) < KEPT_MS),
  )
  await writePrivateFile(getPath(env), [...others, { ...session, pid: process.pid, usedAt: new Date().toISOString() }])
}
