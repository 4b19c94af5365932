import { Counter, type Registry } from 'prom-client'
import { MAIL_KINDS, MAIL_OUTCOMES } from '../../mail/mail.ts'
import type { Context } from '../context.ts'

/** Metrics of mail: whether the mail server accepts it. */
export function installMailMetrics(registry: Registry, { mail }: Context): void {
  const mails = new Counter({
    name: 'hubline_mails_total',
    help: 'Mails by kind, and by whether the mail server accepted them',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  // An alert on an increase needs a value from before the first failure.
  for (const kind of MAIL_KINDS) for (const outcome of MAIL_OUTCOMES) mails.inc({ kind, outcome }, 0)
  mail.observe((kind, outcome) => mails.inc({ kind, outcome }))
}
