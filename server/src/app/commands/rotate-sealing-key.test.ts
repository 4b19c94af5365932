import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { buildSealingEnv, readPrinted } from '../../../test/admin.ts'
import { testDatabase } from '../../../test/database.ts'
import { PASSWORD, startHub, type TestHub } from '../../../test/hub.ts'
import { dumpDatabase } from '../../../test/stored-secrets.ts'
import type { KeyRing, SealingKey } from '../../kernel/crypto/key-ring.ts'
import { runCommand } from './run-command.ts'

const UNREADABLE = /secrets sealed with them are unreadable/

function newSealingKey(): SealingKey {
  return { id: `key-${randomBytes(4).toString('hex')}`, bytes: randomBytes(32) }
}

function withRing(...ring: [SealingKey, ...SealingKey[]]) {
  return { installation: { keyRing: () => ring } }
}

async function rotate(...ring: [SealingKey, ...SealingKey[]]) {
  const { target } = await testDatabase()
  return readPrinted(
    await runCommand(['rotate-sealing-key'], { DATABASE_URL: target, ...buildSealingEnv(ring as KeyRing) }),
  )
}

async function personWithTotp(hub: TestHub) {
  const person = await hub.person()
  const { secret } = (await person.post('/console/totp', { password: PASSWORD })).body.data
  await person.post('/console/totp/confirm', { code: codeNow(hub, secret) })
  return { email: person.email, secret: secret as string }
}

/** Removes the sealed values and keys of earlier tests. */
async function forgetSealed(): Promise<void> {
  const { sql } = await testDatabase()
  await sql`update users set totp_secret = null, totp_enabled_at = null`
  await sql`delete from sealing_keys`
}

function codeNow(hub: TestHub, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })
}

async function signIn(hub: TestHub, { email, secret }: { email: string; secret: string }): Promise<number> {
  await hub.clock.advance('30 seconds')
  const totp = codeNow(hub, secret)
  return (await hub.anonymous.post('/console/sign-in', { email, password: PASSWORD, totp })).status
}

test('every secret is sealed again with the new first key, and the old key is no longer needed', {
  rules: ['admin.rotate-sealing-key-seals-everything'],
}, async (t) => {
  await forgetSealed()
  const [old, fresh] = [newSealingKey(), newSealingKey()]
  const before = await startHub(t, withRing(old))
  const people = [await personWithTotp(before), await personWithTotp(before)]

  const rotated = await rotate(fresh, old)
  const again = await rotate(fresh, old)
  const after = await startHub(t, withRing(fresh))

  assert.deepEqual(rotated, { key: fresh.id, resealed: 2, unreadable: 0 })
  assert.deepEqual(again, { key: fresh.id, resealed: 0, unreadable: 0 })
  const stored = await dumpDatabase(after.sql)
  assert.ok(stored.includes(`${fresh.id}.`))
  assert.ok(!stored.includes(old.id))
  assert.ok(!after.logs.some((line) => UNREADABLE.test(line)))
  for (const person of people) assert.equal(await signIn(after, person), 200)
})

test('a hub with both keys works during the rotation', async (t) => {
  await forgetSealed()
  const [old, fresh] = [newSealingKey(), newSealingKey()]
  const hub = await startHub(t, withRing(old))
  const ana = await personWithTotp(hub)
  const both = await startHub(t, withRing(fresh, old))

  const earlier = await signIn(both, ana)
  await rotate(fresh, old)
  const later = await signIn(both, ana)

  assert.deepEqual([earlier, later], [200, 200])
})

test('a ring without the old key does not change what it cannot open, and reports the number', async (t) => {
  await forgetSealed()
  const [old, fresh] = [newSealingKey(), newSealingKey()]
  const hub = await startHub(t, withRing(old))
  const ana = await personWithTotp(hub)

  const rotated = await rotate(fresh)

  assert.deepEqual(rotated, { key: fresh.id, resealed: 0, unreadable: 1 })
  assert.equal(await signIn(hub, ana), 200)
})

test('a hub that starts without a key in use logs an error', {
  rules: ['config.unusable-key-ring-is-reported'],
}, async (t) => {
  await forgetSealed()
  const [old, fresh] = [newSealingKey(), newSealingKey()]
  await startHub(t, withRing(old))

  const hub = await startHub(t, withRing(fresh))

  const line = hub.logs.find((text) => UNREADABLE.test(text)) ?? '{}'
  assert.equal(JSON.parse(line).level, 'error')
  assert.ok(JSON.parse(line).keys.includes(old.id))
})
