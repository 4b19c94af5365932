import { Counter, Gauge, type Registry } from 'prom-client'
import { FORWARDING_OUTCOMES, type Forwarding } from '../../domains/inbound/forwarding/service.ts'
import { DROP_REASONS } from '../../domains/request-log/service.ts'
import { SHARED_BATCHES } from '../../kernel/db/batch-splits.ts'
import { MAIL_KINDS, MAIL_OUTCOMES } from '../../mail/mail.ts'
import type { Context } from '../context.ts'

/** Counts what can fail or stand still beside the delivery engine. An alert on an increase needs a value from before the first failure. */
export function installCounters(registry: Registry, context: Context): void {
  const { sync, batchSplits, mail, messages, requestLog, refusedCallbacks, hold } = context
  const registers = [registry]
  const syncs = new Counter({
    name: 'hubline_billing_syncs_total',
    help: 'Customers that were fetched from the payment provider, by how it ended',
    labelNames: ['outcome'],
    registers,
  })
  sync.observe((outcome) => syncs.inc({ outcome }))

  const splits = new Counter({
    name: 'hubline_batch_splits_total',
    help: 'Batches that the database refused and that were written in parts or again, by batch',
    labelNames: ['batch'],
    registers,
  })
  for (const batch of SHARED_BATCHES) splits.inc({ batch }, 0)
  batchSplits.observe((batch) => splits.inc({ batch }))

  const mails = new Counter({
    name: 'hubline_mails_total',
    help: 'Mails by kind, and by whether the mail server accepted them',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  for (const kind of MAIL_KINDS) for (const outcome of MAIL_OUTCOMES) mails.inc({ kind, outcome }, 0)
  mail.observe((kind, outcome) => mails.inc({ kind, outcome }))

  const dropped = new Counter({
    name: 'hubline_request_log_dropped_total',
    help: 'Answered requests that the request log does not have, by reason',
    labelNames: ['reason'],
    registers,
  })
  for (const reason of DROP_REASONS) dropped.inc({ reason }, 0)
  requestLog.observeDrops((reason, count) => dropped.inc({ reason }, count))

  refusedCallbacks.observe(countRefusedCallbacks(registry))

  new Gauge({
    name: 'hubline_unrecorded_sends',
    help: 'Sends of this process whose outcome the database did not take, and that is written again',
    registers,
    collect() {
      this.set(messages.countWaitingOutcomes())
    },
  })

  new Gauge({
    name: 'hubline_held',
    help: 'Holds of the hub: 1 while it sends nothing, delivers nothing and calls nobody, else 0',
    registers,
    collect() {
      this.set(hold.isHeld() ? 1 : 0)
    },
  })
}

/** Returns what counts one. */
export function countRefusedCallbacks(registry: Registry): () => void {
  const refused = new Counter({
    name: 'hubline_refused_callbacks_total',
    help: 'Callbacks of the upstream with a wrong or missing signature',
    registers: [registry],
  })
  return () => refused.inc()
}

/** Counts what a process of the role `callbacks` sends on. */
export function countForwardedCallbacks(registry: Registry, forwarding: Forwarding): void {
  const forwarded = new Counter({
    name: 'hubline_forwarded_callbacks_total',
    help: 'Callbacks that were sent to a cell, by cell and by whether it took them',
    labelNames: ['cell', 'outcome'],
    registers: [registry],
  })
  for (const cell of forwarding.cells) for (const outcome of FORWARDING_OUTCOMES) forwarded.inc({ cell, outcome }, 0)
  forwarding.observe({
    refused: countRefusedCallbacks(registry),
    forwarded: (cell, outcome) => forwarded.inc({ cell, outcome }),
  })
}
