import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Answer, createClient } from '../../../../test/client.ts'
import { bearer } from '../../../../test/hub.ts'
import { createChannel, startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'
import { connectWithToken } from '../../../../test/relay.ts'
import { listEncodings } from '../../../../test/stored-secrets.ts'
import { FILES } from '../../media/test/files.ts'
import { buildForm, MULTIPART } from '../../media/test/uploads.ts'

/** The log does not redact this form of token, so a leak would be found. */
export const CANARY = 'canary-of-the-facade/5d0e+1a=b'

/** Asserts that the text has none of the secrets, in any common encoding. */
export function assertAbsent(secrets: string[], place: string, text: string): void {
  const forms = secrets.flatMap((secret) => [
    ...listEncodings(secret),
    encodeURIComponent(secret),
    secret.replaceAll('/', '\\/'),
  ])
  for (const form of forms) assert.ok(!text.includes(form), `${place} holds ${form}: ${text.slice(0, 2000)}`)
}

/** A channel whose stored token is the canary, a second channel, and a client that keeps its responses. */
export async function startWithCanary(t: TestContext) {
  const fixture = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
  const { hub, up } = fixture
  const acme = await hub.organization()
  const number = await up.number()
  await up.simulator.control('POST', '/tokens', { waba_id: number.wabaId, access_token: CANARY })
  await up.simulator.control('PUT', '/limits', { enforced: false })
  const { id, token } = await createChannel(acme)
  assert.equal((await connectWithToken(acme, id, { ...number, accessToken: CANARY })).status, 200)
  const other = await fixture.connect(acme)
  await hub.sql`
    insert into rate_limits (bucket, subject, used, window_ends_at)
    values ('facade', ${`${acme.organizationId}:${id}`}, -1000000, hub_now() + interval '1 day')`

  const answers: { what: string; answer: Answer }[] = []
  const client = createClient(hub.url, bearer(token), (method, path, answer) => {
    answers.push({ what: `${method} ${path}`, answer })
  })
  return { ...fixture, acme, id, token, number, other, client, answers, secrets: [CANARY, up.simulator.appSecret] }
}

export type CanaryFixture = Awaited<ReturnType<typeof startWithCanary>>

export function upload({ client }: CanaryFixture, path: string): Promise<Answer> {
  const raw = buildForm([{ bytes: FILES.png!.bytes, name: 'a.png' }])
  return client.send('POST', path, { raw, headers: MULTIPART })
}
