import { type Hub, HubApiError } from '@hubline/sdk'
import type { Command, Context } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { isReadableByOthers } from '../files.ts'
import { toOrigin } from '../names.ts'
import { type Check, checkTls, listOutsideChecks } from '../outside-checks.ts'
import { type Probe, readProbe } from '../probes.ts'
import { getSettingsPath, isUnprotected } from '../settings.ts'
import { STATUS_STYLES } from '../statuses.ts'
import { sanitize } from '../terminal.ts'

/** Receivers refuse signatures that are five minutes off. */
const CLOCK_SECONDS_MAX = 60

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check the settings, the hub, the key, the channels and the webhooks',
  usage: '',
  description: 'Exits with 1 if something does not work, and says how to fix it.',
  options: {
    outside: {
      type: 'boolean',
      description: 'Look through the proxy as Meta does: certificate, challenge, PUBLIC_URL, streams',
    },
    'verify-token': { type: 'string', value: 'token', description: 'UPSTREAM_VERIFY_TOKEN, for the whole challenge' },
  },
  positionals: { min: 0, max: 0 },

  async run(context, { values }) {
    const verifyToken = values['verify-token']?.toString()
    const outside = values.outside === true || verifyToken !== undefined ? { verifyToken } : undefined
    const checks: Check[] = []
    for await (const check of listChecks(context, outside)) {
      checks.push(check)
      if (!context.isJson) show(context, check)
    }
    if (context.isJson) context.printJson(checks)
    return checks.some(({ status }) => status === 'failing') ? EXIT.refused : EXIT.ok
  },
}

function show({ say, paint }: Context, { id, status, message, remedy }: Check): void {
  say(`${paint(STATUS_STYLES[status] ?? 'dim', status.padEnd(8))} ${id.padEnd(16)} ${sanitize(message)}`)
  if (remedy !== null && status !== 'ok') say(paint('dim', `         ${' '.repeat(17)}${sanitize(remedy)}`))
}

async function* listChecks(
  context: Context,
  outside: { verifyToken: string | undefined } | undefined,
): AsyncGenerator<Check> {
  const { io, loadSettings } = context
  const settings = await loadSettings()
  const { url, source } = settings
  const path = getSettingsPath(io.env)
  if (await isReadableByOthers(path)) {
    yield { id: 'settings', status: 'warning', message: `Other users can read ${path}.`, remedy: `chmod 600 ${path}` }
  } else yield { id: 'settings', status: 'ok', message: `The key is from ${source}.`, remedy: null }
  if (isUnprotected(url)) {
    yield { id: 'encryption', status: 'warning', message: `${url} is not encrypted.`, remedy: 'Use https.' }
  }
  context.progress('Asking the hub…')
  const health = await readProbe(url, '/health')
  if (!health.isOk) {
    yield {
      id: 'hub',
      status: 'failing',
      message: `${url}: ${health.message}.`,
      remedy: 'Check the URL, and that the hub is running.',
    }
    // A certificate that is not trusted fails the first request already.
    if (outside) yield await checkTls(new URL(url))
    return
  }
  yield { id: 'hub', status: 'ok', message: `${url} answers in ${health.ms} ms.`, remedy: null }
  yield checkClock(health.date)
  const ready = await readProbe(url, '/ready')
  yield toReadyCheck(ready)
  const hub = await context.connect()
  yield* checkChannels(context, hub)
  yield* checkWebhooks(hub)
  if (!outside) return
  context.progress('Looking from outside…')
  yield* listOutsideChecks({ url, hub, ...outside })
}

function toReadyCheck({ isOk, isHeld, message }: Probe): Check {
  const id = 'ready'
  if (!isOk) return { id, status: 'failing', message, remedy: 'The log of the hub has the cause.' }
  if (!isHeld) return { id, status: 'ok', message: 'The hub is ready.', remedy: null }
  const held = 'The hub is on hold: it takes callbacks, and refuses sends and delivers nothing.'
  return { id, status: 'warning', message: held, remedy: 'Its operator ends that with `npm run admin -- release`.' }
}

function checkClock(date: string | null): Check {
  const seconds = Math.round((Date.now() - Date.parse(date ?? '')) / 1000)
  if (Number.isNaN(seconds))
    return { id: 'clock', status: 'skipped', message: 'The hub did not send its time.', remedy: null }
  if (Math.abs(seconds) <= CLOCK_SECONDS_MAX)
    return { id: 'clock', status: 'ok', message: 'The clocks agree.', remedy: null }
  const message = `The clock of this machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the hub's.`
  return {
    id: 'clock',
    status: 'warning',
    message,
    remedy: 'Set the clock: receivers refuse signatures with a wrong time.',
  }
}

async function* checkChannels(context: Context, hub: Hub): AsyncGenerator<Check> {
  const channels = await hub.channels
    .list()
    .toArray()
    .catch((err: unknown) => err)
  if (!Array.isArray(channels)) return yield toKeyCheck(channels)
  yield { id: 'key', status: 'ok', message: 'The hub accepts the key.', remedy: null }
  for (const { id, name, status } of channels) {
    context.progress(`Checking ${sanitize(name)}…`)
    if (status === 'pending') {
      yield {
        id: 'channel',
        status: 'skipped',
        message: `${name}: not connected yet.`,
        remedy: `hubline connect ${id}`,
      }
      continue
    }
    const { diagnostics } = await hub.channels.diagnose(id)
    if (diagnostics.overall === 'ok') {
      yield status === 'degraded'
        ? toDegradedCheck(name)
        : { id: 'channel', status: 'ok', message: `${name}: works.`, remedy: null }
      continue
    }
    for (const check of diagnostics.checks.filter((one) => one.status === 'warning' || one.status === 'failing')) {
      yield {
        id: 'channel',
        status: check.status,
        message: `${name}, ${check.id}: ${check.message}`,
        remedy: check.remedy,
      }
    }
  }
}

/** Meta's own reports about a number or its account are no part of the diagnostics. */
function toDegradedCheck(name: string): Check {
  const message = `${name}: degraded. The checks pass, but Meta has flagged the number or restricted its account.`
  return { id: 'channel', status: 'warning', message, remedy: "Look at the account in Meta's WhatsApp Manager." }
}

/** A paused endpoint gets no events, and only its status shows that. */
async function* checkWebhooks(hub: Hub): AsyncGenerator<Check> {
  const webhooks = await hub.webhooks
    .list()
    .toArray()
    .catch((err: unknown) => err)
  // The check of the key has shown that already.
  if (webhooks instanceof HubApiError && webhooks.status === 401) return
  if (!Array.isArray(webhooks)) return yield toWebhooksCheck(webhooks)
  const active = webhooks.filter(({ status }) => status === 'active').length
  const paused = webhooks.filter(({ status }) => status === 'paused')
  for (const { id, name, consecutive_failures } of paused) {
    const cause = consecutive_failures > 0 ? ` after ${consecutive_failures} failures` : ''
    const message = `${toOrigin(name)}: paused${cause}, so that it gets no events. Active endpoints: ${active}.`
    yield { id: 'webhook', status: 'warning', message, remedy: `hubline webhooks activate ${id}` }
  }
  if (paused.length === 0) {
    yield { id: 'webhook', status: 'ok', message: `Active endpoints: ${active}. None is paused.`, remedy: null }
  }
}

function toWebhooksCheck(err: unknown): Check {
  if (!(err instanceof HubApiError && err.is('INSUFFICIENT_SCOPE'))) throw err
  const message = 'The key lacks webhooks:read, so the webhooks are not checked.'
  return { id: 'webhook', status: 'skipped', message, remedy: null }
}

function toKeyCheck(err: unknown): Check {
  if (!(err instanceof HubApiError)) throw err
  if (err.is('INSUFFICIENT_SCOPE')) {
    return {
      id: 'key',
      status: 'warning',
      message: 'The key lacks channels:read, so the channels are not checked.',
      remedy: null,
    }
  }
  if (err.status !== 401) throw err
  return {
    id: 'key',
    status: 'failing',
    message: 'The hub does not know the key, or it was revoked.',
    remedy: 'hubline login',
  }
}
