import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KeyRing } from '../src/kernel/crypto/key-ring.ts'

const ADMIN = join(import.meta.dirname, '../src/bin/admin.ts')

export type CommandResult = { exitCode: number; stdout: string; stderr: string }

/** Runs an operator command in a process with only the given variables. */
export function runAdmin(env: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    // Away from the checkout, whose .env must not change a test.
    const options = { cwd: tmpdir(), env: { PATH: process.env.PATH, ...env } }
    execFile(process.execPath, [ADMIN, ...args], options, (err, stdout, stderr) => {
      if (err && typeof err.code !== 'number') return reject(err)
      resolve({ exitCode: err ? Number(err.code) : 0, stdout, stderr })
    })
  })
}

export function buildSealingEnv(ring: KeyRing): Record<string, string> {
  return { SEALING_KEYS: ring.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}`).join(',') }
}

/** The JSON that a successful command printed, in one line. */
// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what a test asserts
export function readPrinted({ exitCode, stdout, stderr }: CommandResult): any {
  if (exitCode !== 0 || stderr !== '' || !/^[^\n]+\n$/.test(stdout)) {
    throw new Error(`Expected one line of JSON, got ${JSON.stringify({ exitCode, stdout, stderr })}`)
  }
  return JSON.parse(stdout)
}
