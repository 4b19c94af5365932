import { Pool } from 'undici'
import { buildSignatureHeaders } from '../src/domains/webhooks/attempts/signature.ts'
import { newId } from '../src/kernel/ids.ts'

/** More than this make the loop slower on the machines it was tried on. */
const CONCURRENCY = 64

/** What is left of a delivery when nothing is remembered of it: a signature and a POST, over undici's own pool. */
export async function postBarely(port: number, bodies: Buffer[]): Promise<void> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONCURRENCY })
  let next = 0
  async function loop(): Promise<void> {
    for (let body = bodies[next++]; body; body = bodies[next++]) {
      const signed = {
        deliveryId: newId(),
        timestamp: Math.floor(Date.now() / 1000),
        payload: body,
        secret: 'whsec_bare',
      }
      const headers = { 'content-type': 'application/json', ...buildSignatureHeaders('native', signed) }
      const res = await pool.request({ path: '/ok/bare', method: 'POST', headers, body })
      await res.body.dump()
      if (res.statusCode !== 200) throw new Error(`The receiver answered ${res.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, loop))
  await pool.close()
}
