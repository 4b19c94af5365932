import { AppError } from '../kernel/errors.ts'
import type { Logger } from '../kernel/logger.ts'
import { createWorkQueue } from '../kernel/work-queue.ts'
import { type MailContent, type MailSettings, sendBySmtp } from './smtp.ts'

export const MAIL_KINDS = [
  'password_reset',
  'email_verification',
  'sign_up',
  'invitation',
  'organization_deletion',
  'alert',
] as const
export const MAIL_OUTCOMES = ['sent', 'failed'] as const

/** `refused` is certain: the server did not accept the mail. After `unknown` it may have. */
export type MailAttempt = 'sent' | 'refused' | 'unknown'

/** `id` is that of what the mail is about, for the log. */
export type Mail = MailContent & { kind: (typeof MAIL_KINDS)[number]; id: string }

type Observer = (kind: Mail['kind'], outcome: (typeof MAIL_OUTCOMES)[number]) => void

/** From the connection to the acceptance of a mail. Shorter than the time in which a stopping hub ends its requests. */
const DEADLINE_MS = 12_000
/** With its wait, a request that sends a mail takes at most two deadlines. */
const DIRECT = { runningMax: 5, waitingMax: 5 }
const BACKGROUND = { runningMax: 3, waitingMax: 100 }

export type MailSender = ReturnType<typeof createMailSender>

/** Sends mail through the configured server. A mail that fails is logged and counted, and is not sent again. */
export function createMailSender({
  settings,
  logger,
  deadlineMs = DEADLINE_MS,
}: {
  settings: MailSettings | undefined
  logger: Logger
  deadlineMs?: number
}) {
  const observers = new Set<Observer>()
  const direct = createWorkQueue(DIRECT)
  const background = createWorkQueue(BACKGROUND)
  const pending = new Set<Promise<void>>()
  let isStopped = false

  function report({ kind, id }: Mail, outcome: (typeof MAIL_OUTCOMES)[number], err?: unknown): void {
    if (outcome === 'failed') logger.warn({ kind, id, ...describeFailure(err) }, 'mail failed')
    for (const observe of observers) observe(kind, outcome)
  }

  async function transmit(mail: Mail): Promise<MailAttempt> {
    try {
      if (!settings) throw new Error('No mail server is configured')
      await sendBySmtp(settings, mail, deadlineMs)
      report(mail, 'sent')
      return 'sent'
    } catch (err) {
      report(mail, 'failed', err)
      return isCertainlyRefused(err) ? 'refused' : 'unknown'
    }
  }

  async function attempt(mail: Mail): Promise<MailAttempt> {
    try {
      return await direct.run(() => transmit(mail))
    } catch (err) {
      // The queue is full: nothing was sent.
      report(mail, 'failed', err)
      return 'refused'
    }
  }

  async function composeAndTransmit(compose: () => Promise<Mail | undefined>): Promise<void> {
    if (isStopped) return
    try {
      const mail = await compose()
      if (mail) await transmit(mail)
    } catch (err) {
      logger.error({ err }, 'mail could not be composed')
    }
  }

  return {
    isConfigured: settings !== undefined,

    observe: (observer: Observer) => void observers.add(observer),

    /** Resolves to whether the server has accepted the mail. Never call it in a transaction. */
    async send(mail: Mail): Promise<boolean> {
      return (await attempt(mail)) === 'sent'
    },

    /** The same for a sender that tries again what the server certainly did not accept. */
    attempt,

    /**
     * Composes a mail and sends it after the caller has responded, so that the response does not depend on either. Throws
     * OVERLOADED if too many are waiting. What waits is lost if the process is killed.
     */
    enqueue(compose: () => Promise<Mail | undefined>): void {
      if (pending.size >= BACKGROUND.waitingMax) {
        throw new AppError('OVERLOADED', 'mails_queue_full', {
          retryAfterSeconds: 60,
        })
      }
      const work = background.run(() => composeAndTransmit(compose)).finally(() => pending.delete(work))
      pending.add(work)
    },

    /** Waits for the mails in the queue, but no longer than for one that the server does not accept. */
    async [Symbol.asyncDispose](): Promise<void> {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, deadlineMs)
      await Promise.race([Promise.all(pending), late])
      clearTimeout(timer)
      isStopped = true
      if (pending.size > 0) logger.warn({ count: pending.size }, 'mails were not sent before the stop')
    },
  }
}

/** The server responded with a refusal, or there never was a connection. One that broke may have had the mail. */
function isCertainlyRefused(err: unknown): boolean {
  if (!(err instanceof Error)) return false
  const { code, syscall, responseCode } = err as Error & { code?: unknown; syscall?: unknown; responseCode?: unknown }
  return code === 'EDNS' || syscall === 'connect' || (typeof responseCode === 'number' && responseCode >= 400)
}

/** Without the text of the server's response, which may quote addresses and credentials. */
function describeFailure(err: unknown): Record<string, unknown> {
  if (!(err instanceof Error)) return { reason: String(err) }
  const { code, response, responseCode } = err as Error & { code?: unknown; response?: unknown; responseCode?: unknown }
  return { code, ...(response === undefined ? { reason: err.message } : { smtp_status: responseCode }) }
}
