import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import { holdTransaction, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import { startInbound } from './fixture.ts'

/** Two hubs on one database, as two processes would be; each runs three transactions at once. */
export async function startTwoProcesses(t: TestContext) {
  const fixture = await startInbound(t)
  const second = await startHub(t, { simulator: fixture.up.simulator })

  async function post(url: string, body: object): Promise<number> {
    const bytes = Buffer.from(JSON.stringify(body))
    const headers = { 'x-hub-signature-256': fixture.sign(bytes) }
    const answer = await fetch(`${url}/hooks/upstream`, { method: 'POST', headers, body: new Uint8Array(bytes) })
    await answer.arrayBuffer()
    return answer.status
  }

  /** Posts callbacks concurrently, alternating between the processes, and returns the statuses. */
  function postAll(bodies: object[]): Promise<number[]> {
    return Promise.all(bodies.map((body, i) => post(i % 2 === 0 ? fixture.hub.url : second.url, body)))
  }

  /** Posts callbacks while a table is locked, and releases the lock when `waiting` transactions wait for it. */
  async function postContending(table: string, bodies: object[], waiting: number): Promise<number[]> {
    const held = await holdTransaction(fixture.sql, (tx) => tx.unsafe(`lock table ${table} in exclusive mode`))
    const answers = postAll(bodies)
    await waitUntilBlocked(fixture.sql, waiting)
    await held.release()
    return answers
  }

  /** Batches that had to be written again. */
  function listRefused(): string[] {
    return [...fixture.hub.logs, ...second.logs].filter((line) => line.includes('a batch was refused'))
  }

  return { ...fixture, postContending, postAll, listRefused }
}

export function assertAllAccepted(statuses: number[]): void {
  assert.deepEqual(new Set(statuses), new Set([200]))
}
