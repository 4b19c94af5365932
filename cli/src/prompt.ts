import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Io } from './command.ts'

/** A line that a person types. With `isHidden` the terminal does not show it. */
export async function ask(io: Io, question: string, { isHidden = false } = {}): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isHidden ? silent : io.stderr
  // First of all: from here on the terminal itself does not show what is typed.
  const lines = createInterface({ input: io.stdin, output, terminal: true })
  io.stderr.write(question)
  // In raw mode Ctrl-C is a key, and reaches nothing but the prompt.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return (await lines.question('', { signal: io.signal })).trim()
  } finally {
    lines.close()
    if (isHidden) io.stderr.write('\n')
  }
}

/** The whole standard input, for a secret that another program gives. */
export async function readInput(io: Io): Promise<string> {
  return (await text(io.stdin)).trim()
}
