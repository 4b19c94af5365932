import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { ORIGIN, PASSWORD, readCookies, startHub, type TestHub } from '../../../../test/hub.ts'
import { contend } from '../../../../test/lock-contention.ts'
import { newId } from '../../../kernel/ids.ts'

type Person = Awaited<ReturnType<TestHub['person']>>

function generateCode(hub: TestHub, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })
}

/** Begins to set up the second factor, and returns its secret and what confirms it. */
async function beginTotp(hub: TestHub, person: Person) {
  const { secret } = (await person.post('/console/totp', { password: PASSWORD })).body.data
  const confirm = () => person.post('/console/totp/confirm', { code: generateCode(hub, secret) })
  return { secret, confirm }
}

async function signIn(hub: TestHub, email: string, totp?: string) {
  const answer = await hub.anonymous.post('/console/sign-in', { email, password: PASSWORD, ...(totp && { totp }) })
  const session = hub.anonymous.with({ cookie: readCookies(answer.headers), origin: ORIGIN })
  return { status: answer.status, session }
}

test("turning the second factor on ends the person's other sessions and keeps this one", {
  rules: ['factor.turning-on-ends-other-sessions'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, other] = [await hub.person(), await hub.person()]
  const { session: second } = await signIn(hub, ana.email)
  const { confirm } = await beginTotp(hub, ana)
  assert.equal((await second.get('/console/session')).status, 200)

  assert.equal((await confirm()).status, 200)

  assert.equal((await second.get('/console/session')).status, 401)
  assert.equal((await ana.get('/console/session')).status, 200)
  assert.equal((await other.get('/console/session')).status, 200)
})

test('no session of a sign-in that runs while the second factor is turned on outlives it', {
  rules: ['factor.turning-on-ends-other-sessions'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { confirm } = await beginTotp(hub, ana)

  const { confirmed, signedIn } = await contend((tx) => tx`select 1 from users where id = ${ana.userId} for update`, {
    waiting: 4,
    async work() {
      const signIns = Promise.all(Array.from({ length: 5 }, () => signIn(hub, ana.email)))
      return { confirmed: await confirm(), signedIn: await signIns }
    },
  })

  assert.equal(confirmed.status, 200)
  for (const { session } of signedIn) assert.equal((await session.get('/console/session')).status, 401)
  assert.equal((await hub.sql`select 1 from sessions where user_id = ${ana.userId}`).length, 1)
})

test('a session that began without the second factor does not open an organization that requires one', {
  rules: ['factor.session-from-before-is-403'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret, confirm } = await beginTotp(hub, ana)
  await confirm()
  const settings = `/console/organizations/${ana.organizationId}/settings`
  assert.equal((await ana.patch(settings, { two_factor_required: true })).status, 200)
  const { token } = await hub.sql.begin((tx) =>
    hub.context.sessions.start(tx, {
      userId: ana.userId,
      organizationId: ana.organizationId,
      client: { ip: '127.0.0.1', requestId: newId(), userAgent: null },
      hasSecondFactor: false,
    }),
  )
  const without = hub.anonymous.with({ cookie: `hub_session=${token}`, origin: ORIGIN })

  const refused = await without.get('/api/v1/channels')
  const personal = await without.get('/console/session')
  await hub.clock.advance('30 seconds')
  const { session } = await signIn(hub, ana.email, generateCode(hub, secret))

  assert.deepEqual([refused.status, refused.body.error.code], [403, 'TWO_FACTOR_REQUIRED'])
  assert.equal(personal.status, 200)
  assert.equal((await session.get('/api/v1/channels')).status, 200)
  assert.equal((await ana.get('/api/v1/channels')).status, 200)
})
