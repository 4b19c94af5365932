import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { COMMANDS } from '../../src/app/commands/operator-commands.ts'
import { runCommand } from '../../src/app/commands/run-command.ts'
import { freePort, initializedDataDir, newDirectory, runToEnd, startProcess } from './processes.ts'

type Values = Record<string, string>

/** Valid arguments of each command, what it needs in the environment, and the members that it prints. */
const CASES: Record<string, { args: (known: Values) => string[]; env?: Values; prints: string[] }> = {
  backup: { args: ({ copies = '' }) => [copies], prints: ['backup', 'deleted', 'sealing_keys'] },
  'callback-addresses': {
    args: () => [],
    env: { CELL: 'br01' },
    prints: ['cell', 'url', 'changed', 'elsewhere', 'failed', 'numbers'],
  },
  'cancel-deletion': {
    args: ({ organization_id = '' }) => ['--organization', organization_id],
    prints: ['canceled'],
  },
  'create-organization': {
    args: () => ['--name', 'Acme', '--plan', 'starter'],
    prints: ['organization_id', 'api_key'],
  },
  hold: { args: () => [], prints: ['held', 'since', 'reason'] },
  invite: {
    args: ({ organization_id = '', email = '' }) => [
      '--organization',
      organization_id,
      '--email',
      `new-${email}`,
      '--role',
      'viewer',
    ],
    prints: ['invitation_id', 'invitation_url', 'expires_at'],
  },
  'list-deletions': { args: () => [], prints: ['deletions'] },
  migrate: { args: () => [], prints: ['applied'] },
  release: { args: () => [], prints: ['held', 'was_held'] },
  'reset-password': { args: ({ email = '' }) => ['--email', email], prints: ['email', 'password'] },
  'rotate-sealing-key': { args: () => [], prints: ['key', 'resealed', 'unreadable'] },
  'setup-billing': { args: () => [], prints: ['prices', 'portal_configuration', 'callback_url', 'events'] },
  sizing: {
    args: () => ['--events-per-second', '100', '--sends-per-second', '10', '--retention-days', '30'],
    prints: [
      'message_days',
      'event_days',
      'wal_bytes_per_day',
      'wal_bytes_per_second',
      'kept_bytes',
      'disk_bytes',
      'fsyncs_per_second',
    ],
  },
  'subscribe-app': { args: () => [], prints: ['callback_url', 'fields', 'not_subscribed'] },
}

/** Every command but `restore`, which needs a hub that is stopped: backups.test.ts has it. */
const NAMES = Object.keys(COMMANDS).filter((name) => name !== 'restore')

/** Runs commands one after another, and returns the failures. */
async function runAll(commands: string[], env: Values, known: Values): Promise<string[]> {
  const failures: string[] = []
  for (const command of commands) {
    const tried = CASES[command]
    if (!tried) throw new Error(`The command ${command} has no case here`)
    const { exitCode, stdout, stderr } = await runCommand([command, ...tried.args(known)], { ...env, ...tried.env })
    const printed = exitCode === 0 ? Object.keys(JSON.parse(stdout)) : []
    if (printed.join() !== tried.prints.join()) failures.push(`${command} ended with ${exitCode}: ${stdout}${stderr}`)
  }
  return failures
}

/** An installation with a running hub, and a person who has asked for the deletion of their organization. */
async function startInstallation(t: TestContext) {
  const DATA_DIR = await initializedDataDir()
  const env = { DATA_DIR, PORT: String(await freePort()), SIMULATOR_PORT: String(await freePort()) }
  const hub = await startProcess(t, env)
  const email = `ana-${env.PORT}@example.com`
  const form = { name: 'Ana', email, password: 'correct horse battery staple', organization_name: 'Acme' }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(form)
  const signedUp = await fetch(`${hub.url}/console/sign-up`, { method: 'POST', headers, body })
  const { data } = (await signedUp.json()) as { data: { organization: { id: string } } }
  const person = { ...headers, cookie: signedUp.headers.getSetCookie().join('; '), origin: hub.url }
  const deletion = { method: 'POST', headers: person, body: JSON.stringify({ name: 'Acme' }) }
  await fetch(`${hub.url}/console/organizations/${data.organization.id}/deletion`, deletion)
  return { hub, env, known: { email, organization_id: data.organization.id, copies: await newDirectory(t) } }
}

test('migrate prints each step on standard error, and one line of JSON on standard output', {
  rules: ['migration.admin-applies-online-ones-too'],
}, async (t) => {
  const DATA_DIR = await newDirectory(t)

  const { code, stdout, stderr } = await runToEnd('admin', ['migrate'], { DATA_DIR })

  assert.equal(code, 0, stderr)
  const { applied } = JSON.parse(stdout)
  const steps = stderr.trim().split('\n')
  assert.deepEqual([...new Set(steps.map((step) => step.split(': ', 1)[0]))], applied)
  const ordinary = steps.filter((step) => !step.includes('.online.sql: '))
  assert.ok(ordinary.length > 0 && ordinary.every((step) => step.endsWith(': applying')))
  assert.ok(steps.some((step) => step.includes('.online.sql: building index ')))
})

test('every operator command works while the hub runs', {
  rules: ['admin.subscribe-app-registers-the-callback', 'admin.commands-work-with-and-without-the-hub'],
}, async (t) => {
  const { env, known } = await startInstallation(t)

  const failures = await runAll(NAMES, env, known)

  assert.deepEqual(failures, [])
})

test('every operator command works while the hub does not run', {
  rules: ['admin.commands-work-with-and-without-the-hub'],
}, async (t) => {
  const { hub, env, known } = await startInstallation(t)
  assert.equal(await hub.end('SIGTERM'), 0)

  const failures = await runAll(NAMES, env, known)

  assert.deepEqual(failures, [])
})

test('the process of a command ends with the exit code of the command, and prints what went wrong to stderr', async () => {
  const { code, stdout, stderr } = await runToEnd('admin', ['destroy-everything'], {})

  assert.deepEqual(
    { code, stdout, stderr },
    { code: 2, stdout: '', stderr: "Unknown command 'destroy-everything'. See: npm run admin -- help\n" },
  )
})
