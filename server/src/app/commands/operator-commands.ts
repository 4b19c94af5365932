import { OPERATOR } from '../../domains/audit/initiator.ts'
import { ROLES, type Role, SCOPES } from '../../domains/auth/scopes.ts'
import { deleteOtherKeys } from '../../kernel/crypto/key-check.ts'
import { withRotationLock } from '../../kernel/crypto/rotation-lock.ts'
import { isEmail } from '../../kernel/email.ts'
import { notFound } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/ids.ts'
import { parseOrigin } from '../../kernel/net/addresses.ts'
import type { Config } from '../config/config.ts'
import { CALLBACK_PATH } from '../config/upstream-settings.ts'
import type { Context } from '../context.ts'
import type { Installation } from '../installation.ts'
import { type AloneTarget, backUp, migrateNow, restore } from './backup-commands.ts'
import { buyPlan, readPlanOption, setUpBilling } from './billing-commands.ts'
import { withHub, withSimulator } from './running-services.ts'
import { computeSizing, readSizingLoad } from './sizing.ts'
import { subscribeApp } from './subscribe-app.ts'
import { IncompleteError, UsageError } from './usage-error.ts'

const URL_NEEDED =
  '--url is required with CELL: that address takes the callbacks of all cells. Name that of ROLE=callbacks, or PUBLIC_URL while this cell is the only one'

/** The environment that a command runs in. */
type CommandTarget = { installation: Installation; config: Config }

type Described = {
  summary: string
  /** The required options, each with the placeholder of its value in the help. */
  options: Record<string, string>
  /** The optional ones. */
  optional?: Record<string, string>
  /** Options without a value. */
  flags?: readonly string[]
  /** The name and the placeholder of a word that follows the command. */
  argument?: readonly [name: string, placeholder: string]
}

/** Most commands work in the context of a hub, on a database that was migrated. The others open it themselves, or not at all. */
export type Command = Described &
  (
    | { run: (context: Context, values: Record<string, string>, target: CommandTarget) => Promise<unknown> }
    | { runAlone: (target: AloneTarget, values: Record<string, string | undefined>) => Promise<unknown> }
  )

export const COMMANDS: Record<string, Command> = {
  backup: {
    summary:
      'Copies the database to a new directory below DIR, and keeps the newest two of 14 days there. Sealing keys are not in it.',
    options: {},
    argument: ['directory', 'DIR'],
    runAlone: backUp,
  },
  'cancel-deletion': {
    summary: 'Keeps an organization whose owner has requested its deletion, until its time has come.',
    options: { organization: 'ID' },
    run: cancelDeletion,
  },
  'callback-addresses': {
    summary:
      'With CELL, lists the address that receives the messages of each connected number. With --set, gives this cell those without an address, and with --from those of its former PUBLIC_URL.',
    options: {},
    optional: { from: 'URL' },
    flags: ['set'],
    run: setCallbackAddresses,
  },
  'create-organization': {
    summary: 'Creates an organization and an API key with every scope. The key is shown once.',
    options: { name: 'NAME' },
    optional: { plan: 'PLAN' },
    run: (context, { name = '', plan }, target) => createOrganization(context, { name: name.trim(), plan }, target),
  },
  hold: {
    summary:
      'Puts the hub on hold: it takes callbacks, and sends nothing, delivers nothing and calls nobody until release.',
    options: {},
    run: async ({ hold }) => ({ held: true, ...(await hold.set('operator')) }),
  },
  invite: {
    summary: 'Creates a link with which a person joins an organization, and sends it by mail if SMTP_URL is set.',
    options: { organization: 'ID', email: 'EMAIL', role: ROLES.join('|') },
    run: invite,
  },
  'list-deletions': {
    summary: 'Lists the organizations that wait for their deletion, the next one first.',
    options: {},
    run: async ({ offboarding }) => ({ deletions: await offboarding.listPending() }),
  },
  migrate: {
    summary:
      'Applies all pending migrations to the database and waits for them. The hub applies them at its start. With --plan it only says which, and what takes long.',
    options: {},
    flags: ['plan', 'without-backup'],
    runAlone: (target, values) => migrateNow(target, values, printMigrationStep),
  },
  release: {
    summary: 'Releases the hold. Open deliveries are attempted, and sends are taken again.',
    options: {},
    run: async ({ hold }) => ({ held: false, was_held: await hold.release() }),
  },
  'reset-password': {
    summary: "Sets a new password for a person, turns the second factor off and ends the person's sessions.",
    options: { email: 'EMAIL' },
    run: ({ account }, { email = '' }) => account.resetPassword(email, OPERATOR),
  },
  restore: {
    summary:
      'Puts a backup, or the newest one in DIR, in the place of the database, and sets the hold. The hub must be stopped.',
    options: {},
    argument: ['directory', 'DIR'],
    runAlone: restore,
  },
  'rotate-sealing-key': {
    summary: 'Seals every stored secret again with a new key, or with the first key of SEALING_KEYS if that is set.',
    options: {},
    run: (context, _values, { installation }) => rotateSealingKey(context, installation),
  },
  'setup-billing': {
    summary:
      'Creates the prices and the portal that are missing at the payment provider. Existing ones are not changed.',
    options: {},
    run: (context, _values, { config, installation }) => setUpBilling(context, config, installation),
  },
  sizing: {
    summary: 'Prints what the disk of the database must hold and bear under a steady load.',
    options: { 'events-per-second': 'N' },
    optional: { 'sends-per-second': 'N', 'retention-days': 'DAYS' },
    run: async (_context, values, { config }) =>
      computeSizing(
        readSizingLoad(values, { eventsDays: config.retentionEventsDays, messagesDays: config.retentionMessagesDays }),
      ),
  },
  'subscribe-app': {
    summary:
      "Registers this hub's /hooks/upstream at the upstream, which calls it with a challenge, or that of the address at which ROLE=callbacks listens for several cells.",
    options: {},
    optional: { url: 'URL' },
    run: (context, { url }, { config, installation }) =>
      withSimulator(config, installation, async () => {
        if (url === undefined && config.cell) throw new UsageError(URL_NEEDED)
        const origin = url === undefined ? context.publicUrl : readOrigin('url', url)
        if (origin !== context.publicUrl) return subscribeToCallbacks(context, installation, origin)
        return withHub(context, config, () => subscribeToCallbacks(context, installation, origin))
      }),
  },
}

function subscribeToCallbacks({ upstream: { app } }: Context, { upstream }: Installation, origin: string) {
  return subscribeApp(app, { callbackUrl: `${origin}${CALLBACK_PATH}`, verifyToken: upstream.verifyToken })
}

function readOrigin(option: string, text: string): string {
  const origin = parseOrigin(text)
  if (origin !== undefined) return origin
  throw new UsageError(`--${option} must be an origin, such as https://callbacks.example.com`)
}

/** The upstream asks at the address, so that a hub must respond there. */
async function setCallbackAddresses(
  context: Context,
  { set, from }: Record<string, string>,
  { config, installation }: CommandTarget,
) {
  if (!config.cell) throw new UsageError('CELL is not set: without it numbers have no address of their own')
  const isSetting = set !== undefined
  if (from !== undefined && !isSetting) throw new UsageError('--from needs --set')
  const formerUrl = from === undefined ? undefined : `${readOrigin('from', from)}${CALLBACK_PATH}`
  const visit = () => context.callbackAddresses.visitAll({ isSetting, formerUrl })
  const numbers = await withSimulator(config, installation, () =>
    isSetting ? withHub(context, config, visit) : visit(),
  )
  const result = {
    cell: config.cell,
    url: `${context.publicUrl}${CALLBACK_PATH}`,
    changed: numbers.filter(({ changed }) => changed).length,
    elsewhere: numbers.filter(({ at }) => at === 'elsewhere').length,
    failed: numbers.filter(({ problem }) => problem !== null).length,
    numbers,
  }
  if (result.failed === 0) return result
  throw new IncompleteError(`${result.failed} of ${numbers.length} numbers failed: see "problem" of each.`, result)
}

type NewOrganization = { name: string; plan: string | undefined }

async function createOrganization(context: Context, { name, plan: planName }: NewOrganization, target: CommandTarget) {
  if ([...name].length > 100) throw new UsageError('--name must have 1 to 100 characters')
  const plan = readPlanOption(planName?.trim(), target.config)
  if (plan === undefined) return insertOrganization(context, name)
  return withSimulator(target.config, target.installation, async () => {
    const organization = await insertOrganization(context, name)
    await buyPlan(context, organization.organization_id, plan)
    return organization
  })
}

async function insertOrganization({ sql, organizations, apiKeys }: Context, name: string) {
  return sql.begin(async (tx) => {
    const { id } = await organizations.create(tx, { name, initiator: OPERATOR })
    const key = { organizationId: id, initiator: OPERATOR, name: 'operator', scopes: [...SCOPES], expiresAt: null }
    const { token } = await apiKeys.issue(tx, key)
    return { organization_id: id, api_key: token }
  })
}

async function cancelDeletion({ offboarding }: Context, { organization = '' }: Record<string, string>) {
  if (!isUuid(organization)) throw notFound('deletion_not_found')
  await offboarding.cancel(organization, OPERATOR)
  return { canceled: true }
}

async function invite({ organizations, invitations, mail }: Context, values: Record<string, string>) {
  const { organization = '', email = '', role: roleName = '' } = values
  const role: Role | undefined = ROLES.find((candidate) => candidate === roleName)
  if (!role) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`)
  if (!isEmail(email)) throw new UsageError('--email is not an e-mail address')
  if (!isUuid(organization) || !(await organizations.exists(organization))) {
    throw notFound('organization_not_found')
  }
  const created = await invitations.create(organization, { email, role }, OPERATOR)
  const { invitation, invitation_url, mail_sent } = created
  const { id: invitation_id, expires_at } = invitation
  return { invitation_id, invitation_url, expires_at, ...(mail.isConfigured && { mail_sent }) }
}

/**
 * With a key file, first adds a key to it, which a running hub reads at once. With
 * SEALING_KEYS, the new key must already be the first in every process, so that
 * each can open what is sealed here.
 */
async function rotateSealingKey(context: Context, { keyFile }: Installation) {
  const { sql, sealing, users, endpoints, connections, idempotencyRecords, erasures } = context
  return withRotationLock(sql, async () => {
    keyFile?.addKey()
    const total = { resealed: 0, unreadable: 0 }
    for (const owner of [users, endpoints, connections, idempotencyRecords, erasures]) {
      const { resealed, unreadable } = await owner.reseal()
      total.resealed += resealed
      total.unreadable += unreadable
    }
    if (total.unreadable === 0) await deleteOtherKeys(sql, sealing)
    return { key: sealing.currentKeyId(), ...total }
  })
}

/** On standard error, because a migration of a large table takes a while, and standard output has only the result. */
function printMigrationStep(migration: string, step: string): void {
  process.stderr.write(`${migration}: ${step}\n`)
}
