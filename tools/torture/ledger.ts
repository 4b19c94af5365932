import { openSync, writeSync } from 'node:fs'

export type Ledger = ReturnType<typeof openLedger>

/** A file of one JSON object a line. A line is written before anything that follows from it, so that a reader can rely on it. */
export function openLedger(path: string) {
  const file = openSync(path, 'a')
  return {
    write: (line: object): void => void writeSync(file, `${JSON.stringify(line)}\n`),
  }
}
