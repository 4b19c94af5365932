import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import { holdTransaction, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import { startInbound } from './scene.ts'

/** A second process on the same database; each has three transactions at once. */
export async function startTwins(t: TestContext) {
  const scene = await startInbound(t)
  const twin = await startHub(t, { simulator: scene.up.simulator })

  async function post(url: string, body: object): Promise<number> {
    const bytes = Buffer.from(JSON.stringify(body))
    const headers = { 'x-hub-signature-256': scene.sign(bytes) }
    const answer = await fetch(`${url}/hooks/upstream`, { method: 'POST', headers, body: new Uint8Array(bytes) })
    await answer.arrayBuffer()
    return answer.status
  }

  /** Posts callbacks at once, to one process and the other in turn, and answers their statuses. */
  function postAll(bodies: object[]): Promise<number[]> {
    return Promise.all(bodies.map((body, i) => post(i % 2 === 0 ? scene.hub.url : twin.url, body)))
  }

  /** Lets callbacks run into a table that is held, and goes on when as many transactions stand before it as can. */
  async function meet(table: string, bodies: object[], waiting: number): Promise<number[]> {
    const held = await holdTransaction(scene.sql, (tx) => tx.unsafe(`lock table ${table} in exclusive mode`))
    const answers = postAll(bodies)
    await waitUntilBlocked(scene.sql, waiting)
    await held.release()
    return answers
  }

  return { ...scene, meet, postAll }
}

export function allTaken(statuses: number[]): void {
  assert.deepEqual(new Set(statuses), new Set([200]))
}
