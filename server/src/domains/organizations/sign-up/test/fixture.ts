import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { PASSWORD, startHub, type TestHub } from '../../../../../test/hub.ts'
import { type MailServer, readLinkToken, startMailServer } from '../../../../../test/mail-server.ts'
import { readConfig } from '../../../../app/config/config.ts'
import { toSandboxSettings } from '../../../../app/config/upstream-settings.ts'

export type Form = { name: string; email: string; password: string; organization_name: string; setup_code?: string }

export function buildForm(over: Partial<Form> = {}): Form {
  const email = `${randomBytes(8).toString('hex')}@example.com`
  return { name: 'Ana', email, password: PASSWORD, organization_name: 'Acme', ...over }
}

/** A hub with mail and a real upstream, which no test calls. */
export async function startHubWithLinks(t: TestContext, env: Record<string, string> = {}) {
  const server = await startMailServer(t)
  const app = { appId: '0', appSecret: 'none', verifyToken: 'none' }
  const upstream = { ...toSandboxSettings(readConfig({}), app), isSandbox: false }
  const hub = await startHub(t, {
    env: { TRUSTED_PROXIES: '127.0.0.1/32', ...server.env, ...env },
    installation: { upstream },
    hasTimers: false,
  })
  return { hub, server }
}

/** Each sign-up has its own address by default, because the number per address is limited. */
export function signUp(hub: TestHub, form: Form, headers: Record<string, string> = {}) {
  const ip = `10.${[...randomBytes(3)].join('.')}`
  return hub.anonymous.post('/console/sign-up', form, { headers: { 'x-forwarded-for': ip, ...headers } })
}

/** Signs up, and returns the token of the link in the mail. */
export async function receiveSignUp(hub: TestHub, server: MailServer, form: Form): Promise<string> {
  const next = server.mails.length + 1
  const { status } = await signUp(hub, form)
  assert.equal(status, 202)
  return readLinkToken(await server.receive(next))
}

export function finish(hub: TestHub, token: string, password = PASSWORD) {
  return hub.anonymous.post(`/console/sign-up/${token}`, { password })
}
