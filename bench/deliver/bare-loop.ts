import { Pool } from 'undici'
import { buildSignatureHeaders } from '../../server/src/domains/webhooks/attempts/signature.ts'
import { newId } from '../../server/src/kernel/ids.ts'
import { RECEIVER_DOMAIN } from './receiver.ts'

/** A higher concurrency made the loop slower on every machine on which it was measured. */
const CONCURRENCY = 64

/** The baseline: signs and posts each body through undici's own pool, and stores nothing. */
export async function runBareLoop(origin: string, bodies: Buffer[], behavior: string): Promise<void> {
  const connect = { servername: `r0.${RECEIVER_DOMAIN}` }
  const pool = new Pool(origin, { connections: CONCURRENCY, ...(origin.startsWith('https') && { connect }) })
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
      const res = await pool.request({ path: `/${behavior}/bare`, method: 'POST', headers, body })
      await res.body.dump()
      if (res.statusCode >= 300) throw new Error(`The receiver answered ${res.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, loop))
  await pool.close()
}
