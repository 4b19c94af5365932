import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startHub, type TestHub } from '../../../../../test/hub.ts'
import { type MailServer, readLinkToken, startMailServer } from '../../../../../test/mail-server.ts'

export const NEW_PASSWORD = 'another horse, another battery'
const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1/32' }

export async function startHubWithMail(t: TestContext, env: Record<string, string> = {}) {
  const server = await startMailServer(t)
  const hub = await startHub(t, { env: { ...BEHIND_PROXY, ...server.env, ...env } })
  return { hub, server }
}

let addresses = 0
/** Each request has its own address, because the number per address is limited. */
export function requestReset(hub: TestHub, email: string, headers: Record<string, string> = {}) {
  const ip = `10.1.${addresses >> 8}.${addresses++ & 255}`
  return hub.anonymous.post('/console/password-reset', { email }, { headers: { 'x-forwarded-for': ip, ...headers } })
}

/** Requests a link for the person, and returns the token of the link in the mail. */
export async function receiveToken(hub: TestHub, server: MailServer, email: string): Promise<string> {
  const next = server.mails.length + 1
  const requested = await requestReset(hub, email)
  assert.equal(requested.status, 202)
  return readLinkToken(await server.receive(next))
}

export function redeem(hub: TestHub, token: string, password = NEW_PASSWORD) {
  return hub.anonymous.post(`/console/password-reset/${token}`, { password })
}

export function signIn(hub: TestHub, email: string, password: string, totp?: string) {
  return hub.anonymous.post('/console/sign-in', { email, password, ...(totp && { totp }) })
}
