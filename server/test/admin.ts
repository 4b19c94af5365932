import type { CommandResult } from '../src/app/commands/run-command.ts'
import type { KeyRing } from '../src/kernel/crypto/key-ring.ts'

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
