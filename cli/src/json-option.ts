import { readFile } from 'node:fs/promises'
import type { Io } from './command.ts'
import { usageError } from './exit-codes.ts'
import { readInput } from './prompt.ts'

/** The object of an option: JSON itself, the name of a file with or without `@`, or `-` for standard input. */
export async function readJsonOption(io: Io, name: string, value: string): Promise<Record<string, unknown>> {
  const text = /^\s*[{[]/.test(value) ? value : value === '-' ? await readInput(io) : await readText(name, value)
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // The message below is for both.
  }
  throw usageError(`--${name} must be a JSON object such as {"type": "text", "text": {"body": "Hi"}}.`)
}

async function readText(name: string, path: string): Promise<string> {
  try {
    return await readFile(path.replace(/^@/, ''), 'utf8')
  } catch (err) {
    throw usageError(`Cannot read the file given to --${name}: ${(err as Error).message}`)
  }
}
