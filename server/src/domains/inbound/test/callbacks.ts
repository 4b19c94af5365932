import assert from 'node:assert/strict'
import { type Change, type Envelope, readEnvelope } from '../envelope.ts'

export function read(callback: string | Buffer): Envelope {
  const envelope = readEnvelope(Buffer.from(callback))
  assert.ok(!('problem' in envelope), 'problem' in envelope ? envelope.problem : '')
  return envelope
}

export function readOne(callback: string | Buffer): Change {
  const { changes } = read(callback)
  assert.equal(changes.length, 1)
  return changes[0]!
}

export function readProblem(callback: string | Buffer): string | undefined {
  const answer = readEnvelope(Buffer.from(callback))
  return 'problem' in answer ? answer.problem : undefined
}

/** A callback of one entry with the given changes, and other members of that entry. */
export function around(changes: string, others = '"id":"1"'): string {
  return `{"object":"account","entry":[{${others},"changes":[${changes}]}]}`
}

export function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}
