import { createTransport } from 'nodemailer'
import { isLoopbackHost } from '../kernel/net/addresses.ts'

export type MailSettings = {
  host: string
  port: number
  /** TLS from the first byte. Without it the connection is upgraded if the server offers STARTTLS. */
  isSecure: boolean
  login: { user: string; pass: string } | undefined
  /** Replaces the trusted authorities in tests. */
  ca?: string
  from: { name: string; address: string }
}

/** Plain text. Only `text` may contain what people have entered: the other members become headers. */
export type MailContent = { to: string; subject: string; text: string }

const TIMEOUTS_MS = { dnsTimeout: 5000, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000 }

/**
 * Resolves when the server has accepted the mail, and rejects after `deadlineMs` at the latest. Each mail has a
 * connection of its own, which a forced close ends: a server that sends single bytes is never idle, so that no other
 * timeout ends it.
 */
export async function sendBySmtp(settings: MailSettings, mail: MailContent, deadlineMs: number): Promise<void> {
  const { host, port, isSecure, login, from, ca } = settings
  const transport = createTransport({
    pool: true,
    maxConnections: 1,
    // A mail whose connection was lost may have been accepted: it is not sent again.
    maxRequeues: 0,
    host,
    port,
    secure: isSecure,
    // Without TLS a password would be readable on its way.
    requireTLS: login !== undefined && !isSecure && !isLoopbackHost(host),
    ...(login && { auth: login }),
    // Also if NODE_TLS_REJECT_UNAUTHORIZED=0 is set for another purpose.
    tls: { rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMEOUTS_MS,
  })
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(Object.assign(new Error('The mail server did not accept the mail in time'), { code: 'ETIMEDOUT' }))
    transport.close({ force: true })
  }, deadlineMs)
  try {
    const sent = transport.sendMail({
      from,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    await Promise.race([sent, late])
  } finally {
    clearTimeout(timer)
    transport.close()
  }
}
