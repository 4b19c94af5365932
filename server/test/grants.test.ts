import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CHANNEL_TOKEN_SCOPES,
  isAtLeast,
  NEW_TOKEN_SCOPES,
  ROLE_SCOPES,
  ROLES,
  SCOPES,
  type Scope,
} from '../src/domains/auth/scopes.ts'
import { describeResolvedPaths } from './api-document.ts'
import type { Client } from './client.ts'
import { bearer, ORIGIN, PASSWORD, readCookies, startHub, type TestHub } from './hub.ts'
import { createChannel, createLink } from './hub-with-upstream.ts'

/** The routes that return a credential, or a link that leads to one. The tests below walk each of them. */
const WALKED = [
  'POST /api/v1/api-keys',
  'POST /api/v1/channels',
  'POST /api/v1/channels/{id}/connect-link',
  'POST /api/v1/channels/{id}/regenerate-token',
  'POST /console/invitations',
]

/** The routes with other secrets and links: they sign deliveries, prove a second factor, or lead to a payment page. */
const NO_CREDENTIAL = [
  'GET /api/v1/connect/{token}',
  // Its secret attaches a stream of the organization, with a key of the organization besides.
  'POST /api/v1/listeners',
  // Links to a chat with the number, for anyone to see.
  'GET /api/v1/channels/{id}/qr-codes',
  'POST /api/v1/channels/{id}/qr-codes',
  'PATCH /api/v1/channels/{id}/qr-codes/{code}',
  'POST /api/v1/subscription/checkout',
  'POST /api/v1/subscription/portal',
  'POST /api/v1/webhooks',
  'POST /api/v1/webhooks/{id}/rotate-secret',
  // Pages of the payment provider.
  'GET /console/organizations/{id}/invoices',
  'POST /console/totp',
]

/** A credential and the scopes that it has. Only a key or a session can create others; a session has a role instead. */
type Holder = { client: Client; scopes: readonly Scope[]; isToken?: true }
type Channel = { id: string; scopes: readonly Scope[]; token: Holder | undefined }
type Run = { hub: TestHub; holders: Holder[]; channels: Channel[] }
type Step = { way: keyof typeof WAYS; holder: number; channel: number; scopes: Scope[]; withUrl: boolean }

function has(holder: Holder, scopes: readonly Scope[]): boolean {
  return !holder.isToken && scopes.every((scope) => holder.scopes.includes(scope))
}

/** Each way from one credential to another: it succeeds if and only if the holder has every scope of the outcome. */
const WAYS = {
  async createKey(run: Run, holder: Holder, { scopes }: Step) {
    const answer = await holder.client.post('/api/v1/api-keys', { name: 'granted', scopes })

    assert.equal(answer.status, has(holder, ['api_keys:write', ...scopes]) ? 201 : 403, answer.text)
    if (answer.status !== 201) return
    assert.deepEqual(answer.body.data.api_key.scopes, scopes)
    run.holders.push({ client: run.hub.anonymous.with(bearer(answer.body.data.secret)), scopes })
  },

  async createChannel(run: Run, holder: Holder, { withUrl }: Step) {
    const webhook = withUrl ? { webhook_url: 'https://hooks.example.com/in' } : {}
    const answer = await holder.client.post('/api/v1/channels', { name: 'Padaria', ...webhook })

    const needed: Scope[] = withUrl ? ['channels:write', 'webhooks:write'] : ['channels:write']
    assert.equal(answer.status, has(holder, needed) ? 201 : 403, answer.text)
    if (answer.status !== 201) return
    const { id, token } = answer.body.data.channel
    const scopes = NEW_TOKEN_SCOPES.filter((scope) => holder.scopes.includes(scope))
    run.channels.push({ id, scopes, token: await addToken(run, id, token, scopes) })
  },

  regenerate: (run: Run, holder: Holder, step: Step) => regenerate(run, holder, pickChannel(run, step), undefined),

  regenerateWithScopes: (run: Run, holder: Holder, step: Step) => {
    const scopes = step.scopes.filter((scope) => CHANNEL_TOKEN_SCOPES.includes(scope))
    return regenerate(run, holder, pickChannel(run, step), scopes.length > 0 ? scopes : undefined)
  },

  async revoke(run: Run, holder: Holder, step: Step) {
    const channel = pickChannel(run, step)
    const answer = await holder.client.post(`/api/v1/channels/${channel.id}/revoke-token`)

    assert.equal(answer.status, has(holder, ['channels:write']) ? 200 : 403, answer.text)
    if (answer.status === 200) await dropToken(run, channel)
  },
}

async function regenerate(run: Run, holder: Holder, channel: Channel, requested: Scope[] | undefined): Promise<void> {
  const scopes = requested ?? channel.scopes
  const path = `/api/v1/channels/${channel.id}/regenerate-token`
  const answer = await holder.client.post(path, requested && { scopes: requested })

  assert.equal(answer.status, has(holder, ['channels:write', ...scopes]) ? 201 : 403, answer.text)
  if (answer.status !== 201) return
  await dropToken(run, channel)
  channel.scopes = scopes
  channel.token = await addToken(run, channel.id, answer.body.data.token, scopes)
}

function pickChannel({ channels }: Run, { channel }: Step): Channel {
  return channels[channel % channels.length]!
}

/** Also proves by requests that the token has no more than the scopes that are expected of it. */
async function addToken(run: Run, id: string, token: string, scopes: readonly Scope[]): Promise<Holder> {
  const client = run.hub.anonymous.with(bearer(token))
  const stored = await run.hub.sql<{ scopes: Scope[] }[]>`
    select scopes from credentials where channel_id = ${id} and revoked_at is null`
  const read = await client.get(`/api/v1/channels/${id}/messages`)
  assert.deepEqual([...stored], [{ scopes }])
  assert.equal(read.status, scopes.includes('messages:read') ? 200 : 403)
  const holder: Holder = { client, scopes, isToken: true }
  run.holders.push(holder)
  return holder
}

async function dropToken(run: Run, channel: Channel): Promise<void> {
  const { token } = channel
  if (!token) return
  assert.equal((await token.client.get(`/api/v1/channels/${channel.id}`)).status, 401)
  run.holders.splice(run.holders.indexOf(token), 1)
  channel.token = undefined
}

const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    way: fc.constantFrom(...(Object.keys(WAYS) as (keyof typeof WAYS)[])),
    holder: fc.nat(),
    channel: fc.nat(),
    scopes: fc.subarray([...SCOPES], { minLength: 1, maxLength: 4 }),
    withUrl: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)

/** Lets the first holder, and the credentials that follow from it, go every way to a channel whose token has all scopes of a new one. */
async function walk(hub: TestHub, organization: { organizationId: string } & Client, first: Holder, steps: Step[]) {
  const { id } = await createChannel(organization)
  const channels: Channel[] = [{ id, scopes: NEW_TOKEN_SCOPES, token: undefined }]
  const run: Run = { hub, holders: [first], channels }

  for (const step of steps) await WAYS[step.way](run, run.holders[step.holder % run.holders.length]!, step)

  for (const { scopes } of run.holders) assert.deepEqual(subtract(scopes, first.scopes), [])
}

function subtract(scopes: readonly Scope[], from: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => !from.includes(scope))
}

/** Without quotas, and with a name server that knows every name. */
const OPTIONS = {
  env: { BILLING: 'off' },
  lookup: async () => [{ address: '93.184.216.34', family: 4 as const }],
}

test('no sequence of keys and channel tokens gives a key a scope that it lacks', {
  rules: [
    'auth.no-credential-grants-what-it-lacks',
    'token.new-one-has-the-creators-scopes',
    'token.regeneration-keeps-or-sets-scopes',
  ],
}, async (t) => {
  const hub = await startHub(t, OPTIONS)

  await fc.assert(
    fc.asyncProperty(fc.subarray([...SCOPES], { minLength: 1 }), STEPS, async (scopes, steps) => {
      const owner = await hub.organization()
      const { organizationId } = owner
      const issued = await hub.sql.begin((tx) =>
        hub.context.auth.issue(tx, {
          organizationId,
          kind: 'api_key',
          name: 'first',
          scopes,
          channelId: null,
          expiresAt: null,
        }),
      )
      await walk(hub, owner, { client: hub.anonymous.with(bearer(issued.token)), scopes }, steps)
    }),
    { numRuns: 40 },
  )
})

test('no sequence of keys and channel tokens gives a person a scope that their role lacks', {
  rules: ['auth.no-credential-grants-what-it-lacks'],
}, async (t) => {
  const hub = await startHub(t, OPTIONS)

  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ROLES), STEPS, async (role, steps) => {
      const owner = await hub.organization()
      const client = await hub.person({ organizationId: owner.organizationId, role })
      await walk(hub, owner, { client, scopes: ROLE_SCOPES[role] }, steps)
    }),
    { numRuns: 12 },
  )
})

test('no invitation and no change of a role gives a person a scope that its author lacks', {
  rules: [
    'invitation.role-is-not-above-the-makers',
    'member.role-changes-up-to-own-role',
    'auth.no-credential-grants-what-it-lacks',
  ],
}, async (t) => {
  const hub = await startHub(t, OPTIONS)
  const { organizationId } = await hub.organization()
  const member = await hub.person({ organizationId, role: 'viewer' })

  for (const role of ROLES) {
    const author = await hub.person({ organizationId, role })
    for (const granted of ROLES) {
      const email = `${randomBytes(8).toString('hex')}@example.com`
      const invited = await author.post('/console/invitations', { email, role: granted })
      const changed = await author.patch(`/console/members/${member.userId}`, { role: granted })

      const isAllowed = isAtLeast(role, 'admin') && isAtLeast(role, granted)
      assert.deepEqual([invited.status, changed.status], isAllowed ? [201, 200] : [403, 403], `${role}: ${granted}`)
      if (!isAllowed) continue
      const link = invited.body.data.invitation_url.slice(`${ORIGIN}/join/`.length)
      const joined = await hub.anonymous.post(`/console/join/${link}`, { name: 'Bob', password: PASSWORD })
      const session = await hub.anonymous.with({ cookie: readCookies(joined.headers) }).get('/console/session')
      assert.equal(session.body.data.role, granted)
      assert.deepEqual(subtract(ROLE_SCOPES[granted], ROLE_SCOPES[role]), [])
    }
  }
})

test('keys and channel tokens cannot invite, and links and session tokens are no bearer credentials', {
  rules: ['auth.console-accepts-sessions-only', 'auth.no-credential-grants-what-it-lacks'],
}, async (t) => {
  const hub = await startHub(t, OPTIONS)
  const acme = await hub.organization()
  const { organizationId } = acme
  const owner = await hub.person({ organizationId, role: 'owner' })
  const { id, token } = await createChannel(acme)
  const invitation = { email: 'bob@example.com', role: 'viewer' }
  const invited = await owner.post('/console/invitations', invitation)
  const bearers = [
    await createLink(acme, id),
    invited.body.data.invitation_url.slice(`${ORIGIN}/join/`.length),
    owner.cookie.split('=')[1] ?? '',
  ]

  for (const client of [acme, hub.anonymous.with(bearer(token))]) {
    assert.equal((await client.post('/console/invitations', invitation)).status, 401)
  }
  for (const other of bearers) {
    assert.match(other, /^hub_/)
    for (const path of ['/api/v1/channels', `/api/v1/channels/${id}`, '/upstream/1']) {
      assert.equal((await hub.anonymous.with(bearer(other)).get(path)).status, 401, path)
    }
  }
})

type Schema = { properties?: Record<string, Schema>; items?: Schema }
type Operation = { responses: Record<string, { content?: { 'application/json'?: { schema: Schema } } }> }

function listMembers({ properties = {}, items }: Schema): string[] {
  const nested = Object.values(properties).flatMap(listMembers)
  return [...Object.keys(properties), ...nested, ...(items ? listMembers(items) : [])]
}

// A new route that returns a token, a secret or a link must be walked above, or be listed as harmless.
test('every route that returns a token, a secret or a link is walked or leads to no credential', async () => {
  const paths = await describeResolvedPaths<Operation>()

  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      const members = successes.flatMap(([, { content }]) => listMembers(content?.['application/json']?.schema ?? {}))
      // Clients of the Cloud API use `graph_url` with a token that they have already.
      return members.some((name) => name !== 'graph_url' && /^(token|secret)$|_url$/.test(name))
        ? [`${method.toUpperCase()} ${path}`]
        : []
    }),
  )

  assert.deepEqual(found.sort(), [...WALKED, ...NO_CREDENTIAL].sort())
})
