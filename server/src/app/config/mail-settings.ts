import { isEmail } from '../../kernel/email.ts'
import type { EnvReader } from '../../kernel/env.ts'
import type { MailSettings } from '../../mail/smtp.ts'

const PROTOCOLS = ['smtp:', 'smtps:']
const PORT = 587
const SECURE_PORT = 465

/** Undefined without mail. No problem quotes SMTP_URL, because it may contain a password. */
export function readMailSettings(read: EnvReader): MailSettings | undefined {
  const isUrlSet = read.text('SMTP_URL') !== undefined
  const sender = read.text('MAIL_FROM')
  if (!isUrlSet && sender === undefined) return undefined
  const server = readServer(read)
  const from = sender === undefined ? undefined : parseSender(sender)
  if (!isUrlSet) read.problem('SMTP_URL is required with MAIL_FROM')
  if (sender === undefined) read.problem('MAIL_FROM is required with SMTP_URL')
  else if (!from) read.problem('MAIL_FROM must be an e-mail address, or a name with one: Hubline <hub@example.com>')
  return server && from ? { ...server, from } : undefined
}

function readServer(read: EnvReader): Omit<MailSettings, 'from'> | undefined {
  const url = read.url('SMTP_URL', PROTOCOLS)
  if (!url) return undefined
  if (url.hostname === '' || !['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    read.problem('SMTP_URL must name a host and have no path or query: smtps://user:password@mail.example.com')
    return undefined
  }
  if ((url.username === '') !== (url.password === '')) {
    read.problem('SMTP_URL must have both a user and a password, or neither')
  }
  const isSecure = url.protocol === 'smtps:'
  const login = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isSecure ? SECURE_PORT : PORT)),
    isSecure,
    login: url.username === '' ? undefined : login,
  }
}

function parseSender(text: string): MailSettings['from'] | undefined {
  const [, name = '', bracketed] = /^(.*?)\s*<([^<>]*)>$/s.exec(text) ?? []
  const address = bracketed ?? text
  // A line break in a name would begin another header.
  if (!isEmail(address) || /\p{Cc}/u.test(name)) return undefined
  return { name: name.replace(/^"(.*)"$/, '$1'), address }
}
