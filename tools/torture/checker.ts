import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Checks the history of a run. It reads the ledgers of the upstream and of the receivers, and the calls of the API with their
 * answers, and shares no code with the hub or with the other parts of the torture.
 */
// biome-ignore lint/suspicious/noExplicitAny: lines of ledgers and answers have any shape
type Line = any
export type History = { calls: Line[]; upstream: Line[]; receivers: Line[] }
/** `lost`: a promise is broken. `late`: it was not kept yet at the end. `inconclusive`: the history does not show it. */
export type Finding = { verdict: 'lost' | 'late' | 'inconclusive'; rule: string; detail: string }
export type Verdict = { findings: Finding[]; counts: Record<string, number> }

const RANKS = ['sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read']
const FINAL = new Set(['succeeded', 'dead', 'canceled'])
const ATTEMPTS_MAX = 10
const DELIVERIES_SHOWN = 50
/** A secret that was rotated away may sign attempts that began before. */
const ROTATION_MS = 15_000

export function readHistory(directory: string): History {
  const read = (name: string) =>
    readFileSync(join(directory, `${name}.jsonl`), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { calls: read('calls'), upstream: read('upstream'), receivers: read('receivers') }
}

export function check(history: History): Verdict {
  const findings: Finding[] = []
  const add = (verdict: Finding['verdict'], rule: string, detail: string) => findings.push({ verdict, rule, detail })
  const facts = index(history)
  checkSends(facts, add)
  checkMessages(facts, add)
  checkDeliveries(facts, add)
  checkEvents(facts, add)
  checkTenants(facts, add)
  checkUsage(facts, add)
  checkPlans(facts, history.upstream, add)
  checkKeys(facts, add)
  checkErasures(facts, add)
  const { calls, keys, inbound, arrivals } = facts
  const answers = Map.groupBy(calls, ({ status, answer }) => answer?.error?.code ?? String(status))
  return {
    findings,
    counts: {
      calls: calls.length,
      keys: keys.size,
      'customers’ messages': inbound.length,
      arrivals: arrivals.length,
      ...Object.fromEntries([...answers].map(([name, list]) => [`answers ${name}`, list.length])),
    },
  }
}

type Add = (verdict: Finding['verdict'], rule: string, detail: string) => void
type Facts = ReturnType<typeof index>

function index({ calls, upstream, receivers }: History) {
  const of = (kind: string) => calls.filter((call) => call.kind === kind)
  const tenantOfPhone = new Map(of('connect a channel').map(({ phone, tenant }) => [phone, tenant]))
  const taken = upstream.filter(({ entry, isTaken }) => entry === 'message' && isTaken)
  const takenByKey = Map.groupBy(taken, ({ text }) => String(text).split(' ')[1] ?? '')
  const sends = [...of('send'), ...of('final send')]
  const keys = Map.groupBy(sends, ({ key }) => key as string)
  const posts = upstream.filter(({ entry }) => entry === 'callback')
  const callbacks = posts.filter(({ status }) => status === 200)
  const inbound = upstream.filter(({ entry }) => entry === 'inbound')
  const arrivals = receivers.map((line) => {
    const raw = Buffer.from(line.body, 'base64')
    return { ...line, raw, event: JSON.parse(raw.toString()) }
  })
  const endpoints = of('create an endpoint').filter(({ status }) => status === 201)
  const people = new Set(of('erase a person').map(({ person }) => person))
  /** The events of these people need not arrive: one that was not answered may have been erased too. */
  const erasable = new Set([...taken, ...inbound].filter((m) => people.has(m.person)).map((m) => m.wamid ?? m.id))
  const log = new Map(
    of('final log').flatMap(({ answer, tenant }) =>
      (answer?.data?.messages ?? []).map((m: Line) => [m.id, { ...m, tenant }]),
    ),
  )
  return {
    calls,
    of,
    tenantOfPhone,
    taken,
    takenByKey,
    keys,
    posts,
    callbacks,
    inbound,
    arrivals,
    endpoints,
    erasable: erasable as Set<string>,
    log: log as Map<string, Line>,
  }
}

/** Each 202 is in the upstream's ledger once, no key more than once, and every open key settles as the ledger says. */
function checkSends({ keys, takenByKey, log }: Facts, add: Add): void {
  for (const [key, list] of takenByKey)
    if (list.length > 1) add('lost', 'a key sends at most once', `${key} was sent ${list.length} times`)
  for (const [key, calls] of keys) {
    const sent = takenByKey.get(key)?.[0]
    const accepted = calls.filter(({ status }) => status === 202)
    if (accepted.length > 0 && !sent) add('lost', 'a 202 was sent', `${key} was answered 202 and was not sent`)
    const ids = new Set(accepted.map(({ answer }) => answer.data.message.id))
    const wamids = new Set(accepted.map(({ answer }) => answer.data.message.upstream_message_id))
    if (ids.size > 1 || wamids.size > 1) add('lost', 'a repeat gets the same 202', `${key} has ${[...ids, ...wamids]}`)
    const answeredAt = Math.min(...accepted.map(({ at }) => at))
    const changed = calls.find(
      ({ from, status }) => from > answeredAt && status >= 400 && status < 500 && status !== 429,
    )
    if (changed) add('lost', 'a 202 stays', `${key} was answered 202 and then ${changed.answer?.error?.code}`)
    if (sent && wamids.size > 0 && !wamids.has(sent.wamid))
      add('lost', 'a 202 names the message that was sent', `${key} has ${[...wamids]}, not ${sent.wamid}`)
    if (sent && ids.size > 0 && !ids.has(sent.opaque))
      add('lost', 'a 202 names the message that was sent', `${key} was sent as ${sent.opaque}`)
    const last = calls.filter(({ kind }) => kind === 'final send').at(-1)
    const isAnswered = last && last.status !== 0 && last.status !== 429 && last.status < 500
    if (!isAnswered || last.answer?.error?.code === 'OPERATION_IN_PROGRESS')
      add('late', 'a key is settled', `${key} ended with ${last?.answer?.error?.code ?? last?.status}`)
    else if (sent && last.status !== 202)
      add(
        'lost',
        'a key is settled as the ledger says',
        `${key} was sent and is ${last.answer?.error?.code ?? last.status}`,
      )
    for (const id of ids) if (!log.has(id)) add('lost', 'a 202 is in the log', `${id} of ${key} is not in the log`)
  }
}

/** Customers' messages are in the log once, statuses are as far as the callbacks that were acknowledged, and never fall. */
function checkMessages({ of, callbacks, inbound, log, tenantOfPhone }: Facts, add: Add): void {
  const byWamid = Map.groupBy([...log.values()], (m) => m.upstream_message_id)
  const acknowledged = callbacks.flatMap(({ updates }) => updates)
  const inboundIds = new Set(inbound.map(({ id }) => id))
  for (const { id, status, phone } of acknowledged) {
    const found = byWamid.get(id) ?? []
    const [message] = found
    if (found.length !== 1)
      add(
        'lost',
        'an acknowledged callback is in the log once',
        `${id} (${status ?? 'message'}) is there ${found.length} times`,
      )
    if (!message) continue
    if (message.tenant !== tenantOfPhone.get(phone)) add('lost', 'a message stays with its tenant', id)
    if (status && RANKS.indexOf(message.status) < RANKS.indexOf(status))
      add('lost', 'a status is recorded', `${id} was reported ${status} and is ${message.status}`)
    if (inboundIds.has(id) && message.direction !== 'inbound') add('lost', 'a message keeps its direction', id)
  }
  const highest = new Map<string, { rank: number; at: number }>()
  for (const { answer, from, at } of [...of('read the log'), ...of('final log')].sort((a, b) => a.from - b.from)) {
    for (const { id, status } of answer?.data?.messages ?? []) {
      const rank = RANKS.indexOf(status)
      const before = highest.get(id)
      // Only a read that began after another had ended must see at least as much.
      if (before && before.at < from && rank < before.rank)
        add('lost', 'a status never falls', `${id} fell from ${RANKS[before.rank]} to ${status}`)
      if (!before || rank > before.rank) highest.set(id, { rank, at })
    }
  }
}

/** Valid signatures, at most ten attempts, no success that did not arrive, and final states that stay. */
function checkDeliveries({ of, arrivals, endpoints }: Facts, add: Add): void {
  const secrets = new Map<string, { secret: string; from: number; until: number }[]>()
  for (const { answer, path, from, at } of endpoints) {
    const rotations = of('rotate a secret').filter(({ endpoint }) => endpoint === answer.data.webhook.id)
    const list = [{ secret: answer.data.secret, from, at }]
    for (const rotation of rotations) {
      if (rotation.status === 200) list.push({ ...rotation, secret: rotation.answer.data.secret })
      // Without an answer the new secret is not known: what follows cannot be checked.
      if (rotation.status === 0 || rotation.status >= 500)
        list.push({ ...rotation, secret: '', at: rotation.at + ROTATION_MS })
    }
    // If two rotations take place at the same time, either may be the last.
    const endOf = (one: Line) => list.filter((next) => next.secret !== '' && next.from > one.at).map((next) => next.at)
    const withEnds = list.map((one) => ({ ...one, until: Math.min(...endOf(one)) + ROTATION_MS }))
    secrets.set(path, withEnds)
  }
  for (const arrival of arrivals) {
    const known = secrets.get(arrival.path)
    // An endpoint whose creation was not answered has a secret that only the hub knows.
    if (!known) continue
    const usable = known.filter(({ from, until }) => from <= arrival.at && arrival.at <= until)
    const signed = Buffer.concat([Buffer.from(`${arrival.timestamp}.${arrival.deliveryId}.`), arrival.raw])
    const isValid = usable.some(
      ({ secret }) =>
        secret === '' || arrival.signature === `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`,
    )
    if (!isValid || arrival.version !== 'v2')
      add('lost', 'a delivery is signed', `${arrival.deliveryId} at ${arrival.path}`)
  }
  for (const [id, list] of Map.groupBy(arrivals, ({ deliveryId }) => deliveryId)) {
    if (list.length > ATTEMPTS_MAX)
      add('lost', 'a delivery has at most ten attempts', `${id} arrived ${list.length} times`)
    if (new Set(list.map(({ path, event }) => `${path} ${event.id}`)).size > 1)
      add('lost', 'a delivery is one event for one endpoint', id)
  }
  const succeeded = new Set(arrivals.filter(({ result }) => result === 'ok').map(({ deliveryId }) => deliveryId))
  const ended = new Map<string, { status: string; at: number }>()
  for (const { id, status, attempts, from, at } of listStates(of)) {
    const before = ended.get(id)
    if (before && before.at < from && before.status !== status)
      add('lost', 'a final state never changes', `${id} was ${before.status} and became ${status}`)
    if (FINAL.has(status) && !before) ended.set(id, { status, at })
    if (status === 'succeeded' && !succeeded.has(id))
      add('lost', 'a success arrived', `${id} succeeded and did not arrive`)
    if (attempts > ATTEMPTS_MAX) add('lost', 'a delivery has at most ten attempts', `${id} has ${attempts}`)
  }
}

/** Each state of a delivery that the API showed, in the order of the calls. */
function listStates(of: Facts['of']): Line[] {
  const shown = (call: Line) =>
    call.kind === 'list deliveries'
      ? (call.answer?.data?.deliveries ?? [])
      : [call.answer?.data?.delivery].filter(Boolean)
  return [...of('list deliveries'), ...of('show a delivery')]
    .sort((a, b) => a.from - b.from)
    .flatMap((call) =>
      shown(call).map((delivery: Line) => ({ ...delivery, endpoint: call.endpoint, from: call.from, at: call.at })),
    )
}

/** Every message of a customer, every send and every status is an event at each endpoint that matched, once. */
function checkEvents(facts: Facts, add: Add): void {
  const { of, arrivals, endpoints, taken, posts, callbacks, tenantOfPhone, keys, takenByKey, erasable } = facts
  const begun = new Map<string, { tenant: string; from: number; name: string }>()
  const toUpdateName = ({ id, status }: Line) => (status ? `message.status ${id} ${status}` : `message.received ${id}`)
  for (const { updates } of callbacks)
    for (const update of updates) {
      const name = toUpdateName(update)
      begun.set(name, { tenant: tenantOfPhone.get(update.phone) ?? '', from: Number.POSITIVE_INFINITY, name })
    }
  // A post that was not answered may have taken place: its events are due at the endpoints of its own time.
  for (const { updates, from } of posts)
    for (const update of updates) {
      const event = begun.get(toUpdateName(update))
      if (event) event.from = Math.min(from, event.from)
    }
  for (const [key, calls] of keys) {
    const sent = takenByKey.get(key)?.[0]
    const accepted = calls.find(({ status }) => status === 202)
    if (sent && accepted)
      begun.set(`message.sent ${sent.wamid}`, {
        tenant: accepted.tenant,
        from: sent.at,
        name: `message.sent ${sent.wamid}`,
      })
  }
  const byPath = Map.groupBy(arrivals, ({ path }) => path)
  const states = Map.groupBy(listStates(of), ({ endpoint }) => endpoint)
  for (const endpoint of endpoints) {
    const { path, tenant } = endpoint
    const changes = [...of('set an endpoint'), ...of('delete an endpoint')].filter(
      (c) => c.endpoint === endpoint.answer.data.webhook.id,
    )
    const list = byPath.get(path) ?? []
    const ids = new Map<string, Set<string>>()
    for (const { event } of list) {
      const name = toName(event)
      if (name) ids.set(name, (ids.get(name) ?? new Set()).add(event.id))
    }
    for (const [name, found] of ids)
      if (found.size > 1) add('lost', 'an event is recorded once', `${name} came to ${path} as ${[...found]}`)
    const isGone = changes.some((c) => c.kind === 'delete an endpoint' || c.to === 'disabled')
    if (isGone) continue
    // Pauses end the obligation for what came within them; a change without an answer may have taken place.
    const firstPause = Math.min(
      ...changes.filter(({ to }) => to === 'paused').map(({ from }) => from),
      Number.POSITIVE_INFINITY,
    )
    const due = [...begun.values()].filter(({ tenant: owner, from, name }) => {
      const [kind = '', id = ''] = name.split(' ')
      const isOurs = owner === tenant && from > endpoint.at && from < firstPause - ROTATION_MS
      return isOurs && !erasable.has(id) && (endpoint.eventTypes ?? [kind]).includes(kind)
    })
    const missing = due.filter(({ name }) => !ids.has(name))
    if (missing.length === 0) continue
    const known = states.get(endpoint.answer.data.webhook.id) ?? []
    const seen = new Set(list.map(({ deliveryId }) => deliveryId))
    const last = new Map(known.map((state) => [state.id, state.status]))
    const waiting = [...last].filter(([id, status]) => !seen.has(id) && status !== 'succeeded').length
    const verdict =
      missing.length <= waiting ? 'late' : hasGaps(of, endpoint.answer.data.webhook.id) ? 'inconclusive' : 'lost'
    const names = missing.slice(0, 5).map(({ name }) => name)
    add(
      verdict,
      'an event reaches its endpoints',
      `${path} lacks ${missing.length} of ${due.length}, with ${waiting} open: ${names}`,
    )
  }
  if (taken.length === 0) add('inconclusive', 'a run sends', 'nothing was sent')
}

/** Deliveries that arrived are known; of the others only those that a list showed. A list is at most the newest fifty. */
function hasGaps(of: Facts['of'], endpoint: string): boolean {
  let before: Set<string> | undefined
  for (const { answer } of of('list deliveries').filter((call) => call.endpoint === endpoint && call.status === 200)) {
    const ids: string[] = answer.data.deliveries.map(({ id }: Line) => id)
    if (ids.length === DELIVERIES_SHOWN && !ids.some((id) => before?.has(id))) return true
    before = new Set(ids)
  }
  return false
}

function toName({ event, data }: Line): string | undefined {
  const wamid = data?.message?.upstream_message_id
  if (event === 'message.received' || event === 'message.sent') return `${event} ${wamid}`
  return event === 'message.status'
    ? `${event} ${wamid} ${data.statuses_detail?.status ?? data.message.status}`
    : undefined
}

/** No ledger and no answer of one tenant holds anything of another. */
function checkTenants({ calls, arrivals, tenantOfPhone, taken }: Facts, add: Add): void {
  const names = new Set([...tenantOfPhone.values()])
  const others = (tenant: string, text: string) =>
    [...names].filter((name) => name !== tenant && text.includes(`${name} `))
  for (const { path, raw, deliveryId } of arrivals) {
    const tenant = path.split('/')[1]
    for (const other of others(tenant, raw.toString()))
      add('lost', 'tenants are apart', `${deliveryId} of ${other} came to ${path}`)
  }
  for (const { tenant, kind, answer } of calls)
    for (const other of others(tenant, JSON.stringify(answer ?? '')))
      add('lost', 'tenants are apart', `${kind} of ${tenant} shows ${other}`)
  for (const { phone, text } of taken)
    if (!String(text).startsWith(`${tenantOfPhone.get(phone)} `))
      add('lost', 'tenants are apart', `${text} was sent by ${phone}`)
}

/** The usage of a tenant is what its log holds. */
function checkUsage({ of, log }: Facts, add: Add): void {
  for (const { tenant, answer } of of('final usage')) {
    const counters = answer?.data?.usage?.messages_sent ?? answer?.data?.usage?.counters?.messages_sent
    const messages = [...log.values()].filter((m) => m.tenant === tenant && m.direction === 'outbound')
    const sent = messages.filter(({ upstream_message_id }) => upstream_message_id !== null).length
    if (typeof counters !== 'number') add('inconclusive', 'usage equals the log', `${tenant} shows no usage`)
    else if (counters !== sent)
      add('lost', 'usage equals the log', `${tenant} used ${counters}, and its log has ${sent}`)
  }
}

/** A tenant has the plan and the connections that it pays for, and no key changed them twice. */
function checkPlans({ of }: Facts, upstream: Line[], add: Add): void {
  for (const { tenant, organization, answer } of of('final subscription')) {
    const entry = upstream.filter((line) => line.entry === 'subscription' && line.organization === organization).at(-1)
    const { plan, addons } = answer?.data?.subscription ?? {}
    const paid = entry?.paid ?? { hubline_free_monthly: 1 }
    if (!(`hubline_${plan}_monthly` in paid) || addons !== (paid.hubline_connection_monthly ?? 0))
      add(
        'lost',
        'a plan is what is paid',
        `${tenant} has ${plan} with ${addons}, and pays for ${JSON.stringify(paid)}`,
      )
    const asked = [...of('set additional connections'), ...of('open a checkout')].filter((c) => c.tenant === tenant)
    const keys = new Set(asked.map((c) => c.plan))
    if (entry?.changes > keys.size)
      add('lost', 'a key is charged once', `${tenant} was charged ${entry.changes} times for ${keys.size} keys`)
  }
}

/** A key that was revoked is refused from then on. */
function checkKeys({ of }: Facts, add: Add): void {
  for (const { apiKey, at } of of('revoke a key').filter(({ status }) => status === 200)) {
    const uses = of('use a key').filter((use) => use.apiKey === apiKey && use.from > at)
    if (uses.some(({ status }) => status >= 200 && status < 300)) add('lost', 'a revoked key is refused', apiKey)
  }
}

/** The log has neither number nor content of what was sent to an erased person, or acknowledged, before the erasure. */
function checkErasures({ of, taken, inbound, callbacks, log }: Facts, add: Add): void {
  const byWamid = new Map([...log.values()].map((message) => [message.upstream_message_id, message]))
  const acknowledgedAt = new Map<string, number>()
  for (const { updates, at } of callbacks.toReversed()) for (const { id } of updates) acknowledgedAt.set(id, at)
  for (const { person, from, answer } of of('erase a person').filter(({ status }) => status === 202)) {
    const { id } = answer.data.erasure
    const shown = of('show an erasure').filter(({ erasure, status }) => erasure === id && status === 200)
    if (shown.at(-1)?.answer.data.erasure.status !== 'done') {
      add('late', 'an erasure is done', id)
      continue
    }
    const sent = taken.filter((m) => m.person === person && m.at < from)
    const received = inbound.filter((m) => m.person === person && (acknowledgedAt.get(m.id) ?? from) < from)
    for (const { wamid, id: inboundId, text } of [...sent, ...received]) {
      const shownAs = JSON.stringify(byWamid.get(wamid ?? inboundId) ?? null)
      if (shownAs.includes(person) || shownAs.includes(text))
        add('lost', 'an erased person is gone', `${person} is in ${wamid ?? inboundId}`)
    }
  }
}
