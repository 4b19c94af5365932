import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Answer, createClient } from '../../../../test/client.ts'
import { createChannel, startWorld } from '../../../../test/connecting.ts'
import { bearer } from '../../../../test/hub.ts'
import { connectWithToken } from '../../../../test/relay.ts'
import { formsOf } from '../../../../test/stored.ts'
import { FILES } from '../../media/test/files.ts'
import { formOf, MULTIPART } from '../../media/test/uploads.ts'

/** Of no shape that the log would blot out by itself: what is not found was not written. */
export const CANARY = 'canary-of-the-facade/5d0e+1a=b'

/** Neither the token nor the secret of the app stands there, in any form that somebody could read it from. */
export function assertNowhere(secrets: string[], place: string, text: string): void {
  const forms = secrets.flatMap((secret) => [
    ...formsOf(secret),
    ...[encodeURIComponent(secret), secret.replaceAll('/', '\\/')],
  ])
  for (const form of forms) assert.ok(!text.includes(form), `${place} holds ${form}: ${text.slice(0, 2000)}`)
}

/** A channel whose stored token is the canary, another one beside it, and a client whose every answer is kept. */
export async function startWatched(t: TestContext) {
  const world = await startWorld(t, { env: { BILLING: 'off' } })
  const { hub, up } = world
  const acme = await hub.organization()
  const number = await up.number()
  await up.simulator.control('POST', '/tokens', { waba_id: number.wabaId, access_token: CANARY })
  await up.simulator.control('PUT', '/limits', { enforced: false })
  const { id, token } = await createChannel(acme)
  assert.equal((await connectWithToken(acme, id, { ...number, accessToken: CANARY })).status, 200)
  const other = await world.connect(acme)
  await hub.sql`
    insert into rate_limits (bucket, subject, used, window_ends_at)
    values ('facade', ${`${acme.organizationId}:${id}`}, -1000000, hub_now() + interval '1 day')`

  const answers: { what: string; answer: Answer }[] = []
  const client = createClient(hub.url, bearer(token), (method, path, answer) => {
    answers.push({ what: `${method} ${path}`, answer })
  })
  return { ...world, acme, id, token, number, other, client, answers, secrets: [CANARY, up.simulator.appSecret] }
}

export type Watched = Awaited<ReturnType<typeof startWatched>>

export function upload({ client }: Watched, path: string): Promise<Answer> {
  const raw = formOf([{ bytes: FILES.png!.bytes, name: 'a.png' }])
  return client.send('POST', path, { raw, headers: MULTIPART })
}
