import { FAULT_KINDS, type Fault } from '../faults.ts'
import { verifyCallback } from '../graph/callbacks/callback.ts'
import { setTemplateCategory, setTemplateQuality, setTemplateStatus } from '../graph/templates/template-review.ts'
import type { JsonObject } from '../json.ts'
import { resetPayments } from '../payments/payments.ts'
import type { Simulation } from '../simulation.ts'
import { type ControlRoute, route } from './context.ts'
import { type Reader, requireFound } from './reader.ts'

const TEMPLATE_STATUSES = [
  'APPROVED',
  'REJECTED',
  'PENDING',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'ARCHIVED',
  'LIMIT_EXCEEDED',
  'FLAGGED',
  'REINSTATED',
  'PENDING_DELETION',
]
const THROTTLE_CODE = 130429

export const STATE_ROUTES: readonly ControlRoute[] = [
  route('GET', '/', overview),
  route('POST', '/reset', reset),
  route('GET', '/clock', ({ graph }) => clockView(graph.clock.now(), graph.clock.mode)),
  route('POST', '/clock', async ({ graph }, { body }) => {
    await graph.clock.advance((body.number('advance_ms') ?? 0) + (body.number('advance_seconds') ?? 0) * 1_000)
    return clockView(graph.clock.now(), graph.clock.mode)
  }),
  route('PUT', '/limits', ({ graph }, { body }) => {
    graph.limits.enforce(body.flag('enforced') ?? true)
    return { enforced: body.flag('enforced') ?? true }
  }),
  route('PUT', '/callback', async ({ graph }, { body }) => {
    const url = body.required('url')
    const token = body.text('verify_token') ?? graph.app.verifyToken
    if (body.flag('verify') ?? true) await verifyCallback(url, token, graph.random.digits(10), graph.app)
    graph.webhooks.callback.url = url
    graph.webhooks.callback.fields = body.list('fields')?.map(String)
    return { url }
  }),
  route('PUT', '/subscriptions', ({ graph }, { body }) => {
    const { callback } = graph.webhooks
    callback.refusedFields = (body.list('refused') ?? []).map(String)
    callback.namesRefused = body.flag('named') ?? true
    return { refused: [...callback.refusedFields], named: callback.namesRefused, fields: callback.fields ?? null }
  }),
  route('GET', '/templates', ({ graph }) => ({
    templates: [...graph.state.templates.values()].map(({ id, wabaId, name, language, status, quality }) => {
      return { id, waba_id: wabaId, name, language, status, quality }
    }),
  })),
  route('POST', '/templates/:id', ({ graph }, { params, body }) => {
    const template = requireFound(graph.state.templates.get(params.id), 'template')
    const [quality, category] = [body.text('quality'), body.text('category')]
    if (body.text('status') !== undefined) {
      setTemplateStatus(graph, template, body.oneOf('status', TEMPLATE_STATUSES), body.text('reason'))
    }
    if (quality !== undefined) setTemplateQuality(graph, template, quality)
    if (category !== undefined) setTemplateCategory(graph, template, category)
    return { id: template.id, status: template.status, quality: template.quality, category: template.category }
  }),
  route('GET', '/faults', ({ faults }) => ({ faults: faults.list().map(toFaultView), held: faults.held() })),
  route('POST', '/faults', ({ faults }, { body }) => toFaultView(faults.add(parseFault(body)))),
  route('DELETE', '/faults', ({ faults }) => {
    faults.remove()
    return { faults: [] }
  }),
  route('DELETE', '/faults/:id', ({ faults }, { params }) => {
    faults.remove(params.id)
    return { faults: faults.list().map(toFaultView) }
  }),
  route('GET', '/requests', ({ log }) => ({ requests: log.list() })),
]

function overview({ graph }: Simulation): JsonObject {
  const { app, state, clock, webhooks } = graph
  return {
    app_id: app.id,
    callback_url: webhooks.callback.url ?? null,
    clock: clockView(clock.now(), clock.mode),
    accounts: state.accounts.size,
    numbers: state.phones.size,
    templates: state.templates.size,
    messages: state.messages.size,
    webhooks: webhooks.outbox.posts.size,
  }
}

/** Restores the initial state of the seed. The callback stays, since the hub is still there. */
function reset({ graph, payments, faults, log }: Simulation): JsonObject {
  graph.clock.clear()
  for (const media of graph.state.media.values()) graph.files.discard(media.path)
  graph.state.clear()
  graph.limits.clear()
  graph.webhooks.clear()
  Object.assign(graph.webhooks.callback, { fields: undefined, refusedFields: [], namesRefused: true })
  graph.random.restart()
  resetPayments(payments)
  faults.remove()
  log.clear()
  return { reset: true }
}

export function clockView(now: number, mode: string): JsonObject {
  return { now: new Date(now).toISOString(), mode }
}

function parseFault(body: Reader): Omit<Fault, 'id' | 'hits'> {
  return {
    kind: body.oneOf('kind', FAULT_KINDS),
    method: body.text('method')?.toUpperCase(),
    path: body.text('path'),
    skip: body.number('skip') ?? 0,
    times: body.members.times === null ? null : (body.number('times') ?? 1),
    rate: body.number('rate') ?? 1,
    latencyMs: body.number('latency_ms') ?? 1_000,
    status: body.number('status') ?? 503,
    code: body.number('code') ?? THROTTLE_CODE,
  }
}

function toFaultView(fault: Fault): JsonObject {
  const { id, kind, method, path, skip, times, rate, hits } = fault
  return {
    id,
    kind,
    method,
    path,
    skip,
    times,
    rate,
    hits,
    latency_ms: fault.latencyMs,
    status: fault.status,
    code: fault.code,
  }
}
