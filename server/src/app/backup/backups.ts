import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { KeyProof } from '../../kernel/crypto/key-check.ts'
import { measureFiles, type TreeSize } from '../../kernel/db/embedded/copies.ts'
import { createDirectory } from '../../kernel/directories.ts'
import { VERSION } from '../../kernel/version.ts'
import { CannotRun } from '../cannot-run.ts'

/** An erased person is in no backup after this time. */
export const BACKUP_DAYS_MAX = 14
const KEPT = 2
const DAY_MS = 86_400_000
const NAME = /^hubline-\d{8}T\d{6}Z-[0-9a-f]{4}$/
/** A database that a restore has replaced. */
const REPLACED = /^replaced-\d{8}T\d{6}Z-[0-9a-f]{4}$/
const UNFINISHED = '.unfinished'
const MANIFEST = 'backup.json'
/** The copy has some of the write-ahead log besides, and the disk needs room to go on. */
const SPACE_FACTOR = 1.1
const SPACE_BYTES_MIN = 64 * 2 ** 20

/** The database is the hub's own, copied as files, or another one, dumped. */
export type BackupKind = 'embedded' | 'dump'
/**
 * `sealing_keys` proves which keys the backup needs, and has none of them. `content` is the size of all else in its directory. A
 * backup of an earlier version has neither.
 */
export type Manifest = {
  kind: BackupKind
  version: string
  created_at: string
  sealing_keys?: KeyProof[]
  content?: TreeSize | undefined
}
export type Backup = { path: string; manifest: Manifest }

/** The place of backups that the hub makes by itself, and of databases that a restore has replaced. */
export function buildBackupsPath(dataDir: string): string {
  return join(resolve(dataDir), 'backups')
}

/**
 * Makes a backup in a new directory below `directory`, and deletes old ones. `fill` writes it: until that has ended, the directory has
 * another name, so that a backup that was interrupted is never taken for one.
 */
export async function makeBackup(
  directory: string,
  {
    kind,
    now,
    fill,
    sealingKeys = [],
  }: { kind: BackupKind; now: Date; fill: (path: string) => Promise<void>; sealingKeys?: KeyProof[] },
): Promise<Backup & { deleted: string[] }> {
  createBackupsDirectory(directory)
  const path = join(resolve(directory), `hubline-${toStamp(now)}`)
  const unfinished = path + UNFINISHED
  await mkdir(unfinished, { mode: 0o700 }).catch((err: unknown) => refusePlace(directory, err))
  const manifest: Manifest = { kind, version: VERSION, created_at: now.toISOString(), sealing_keys: sealingKeys }
  try {
    await fill(unfinished)
    manifest.content = await measureFiles(unfinished)
    await writeFile(join(unfinished, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
    await rename(unfinished, path)
  } catch (err) {
    await rm(unfinished, { recursive: true, force: true })
    throw err
  }
  return { path, manifest, deleted: await deleteOldBackups(directory, now, basename(path)) }
}

/** A new name for a database that a restore replaces. */
export function buildReplacedPath(dataDir: string, now: Date): string {
  const backups = buildBackupsPath(dataDir)
  createDirectory(backups)
  return join(backups, `replaced-${toStamp(now)}`)
}

/**
 * Keeps the newest two backups, and nothing that is older than 14 days. What was interrupted goes after a day. `made` is one of
 * the two in any case: a clock that was wrong may have given others a later name.
 */
export async function deleteOldBackups(directory: string, now: Date, made?: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  const backups = (await listWhole(directory)).toSorted((a, b) => Number(b === made) - Number(a === made))
  const others = names.filter((name) => REPLACED.test(name) || (NAME.test(name) && !backups.includes(name)))
  const unfinished = names.filter((name) => NAME.test(basename(name, UNFINISHED)) && name.endsWith(UNFINISHED))
  const deleted = [
    ...backups.filter((name, index) => index >= KEPT || countDays(name, now) >= BACKUP_DAYS_MAX),
    ...others.filter((name) => countDays(name, now) >= BACKUP_DAYS_MAX),
    ...unfinished.filter((name) => countDays(name, now) >= 1),
  ]
  for (const name of deleted) await deleteTree(join(directory, name))
  return deleted
}

/** The backup at the path, or the newest one in it. */
export async function findBackup(path: string): Promise<Backup | undefined> {
  const own = await readManifest(path)
  if (own) return { path: resolve(path), manifest: own }
  const [newest] = await listWhole(path)
  const manifest = newest === undefined ? undefined : await readManifest(join(path, newest))
  return newest === undefined || !manifest ? undefined : { path: join(resolve(path), newest), manifest }
}

/** A copy of a backup to another disk may have been cut short: what is missing in it must not take the place of a database. */
export async function requireComplete({ path, manifest }: Backup): Promise<void> {
  if (!manifest.content) return
  const all = await measureFiles(path)
  const own = await stat(join(path, MANIFEST))
  const found = { files: all.files - 1, bytes: all.bytes - own.size }
  const { files, bytes } = manifest.content
  if (found.files === files && found.bytes === bytes) return
  throw new CannotRun(
    `${path} is damaged: it was made with ${files} files of ${bytes} bytes in all, and has ${found.files} of ${found.bytes}. Nothing was changed. Restore another backup, or copy this one again.`,
  )
}

/** The names of whole backups in the directory, the newest first. */
async function listWhole(directory: string): Promise<string[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => NAME.test(name))
  const manifests = await Promise.all(names.map((name) => readManifest(join(directory, name))))
  return names
    .filter((_, index) => manifests[index])
    .toSorted()
    .toReversed()
}

/** The free bytes that are missing for a copy of so many, or 0. */
export async function countMissingBytes(directory: string, bytes: number): Promise<number> {
  createBackupsDirectory(directory)
  const { bavail, bsize } = await statfs(directory)
  return Math.max(0, Math.ceil(bytes * SPACE_FACTOR) + SPACE_BYTES_MIN - bavail * bsize)
}

function createBackupsDirectory(directory: string): void {
  try {
    createDirectory(resolve(directory))
  } catch (err) {
    refusePlace(directory, err)
  }
}

function refusePlace(directory: string, cause: unknown): never {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  throw new CannotRun(
    `Backups cannot be written to ${directory} (${code}): name a directory that the hub's user may create or write.`,
    { cause },
  )
}

async function readManifest(path: string): Promise<Manifest | undefined> {
  const text = await readFile(join(path, MANIFEST), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parseManifest(text)
}

function parseManifest(text: string): Manifest | undefined {
  try {
    const { kind, version, created_at, sealing_keys, content }: Partial<Record<keyof Manifest, unknown>> =
      JSON.parse(text) ?? {}
    const isKind = kind === 'embedded' || kind === 'dump'
    if (!isKind || typeof version !== 'string' || typeof created_at !== 'string') return undefined
    const proofs = Array.isArray(sealing_keys) ? sealing_keys.filter(isKeyProof) : []
    return { kind, version, created_at, sealing_keys: proofs, content: isTreeSize(content) ? content : undefined }
  } catch {
    return undefined
  }
}

function isTreeSize(value: unknown): value is TreeSize {
  const { files, bytes }: { files?: unknown; bytes?: unknown } = value ?? {}
  return typeof files === 'number' && typeof bytes === 'number'
}

function isKeyProof(value: unknown): value is KeyProof {
  const { id, canary }: { id?: unknown; canary?: unknown } = value ?? {}
  return typeof id === 'string' && typeof canary === 'string'
}

/** A replaced database may be a link to one elsewhere. */
async function deleteTree(path: string): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const isDirectory = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isDirectory) await rm(target, { recursive: true, force: true })
  await rm(path, { recursive: true, force: true })
}

/** In the order of their names, backups are in the order of their times. */
function toStamp(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `${time}-${randomBytes(2).toString('hex')}`
}

function countDays(name: string, now: Date): number {
  const [, y, mo, d, h, mi, s] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? []
  return (now.getTime() - Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)) / DAY_MS
}
