import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { TLSSocket } from 'node:tls'
import type { Identity } from './certificates.ts'

/**
 * The server's reaction to a mail: accept it; refuse its recipient, quoting the address as real servers do; refuse the
 * login; never greet; greet without end; or disconnect when it has the mail.
 */
type Behavior = 'accept' | 'refuse-recipient' | 'refuse-login' | 'hang' | 'trickle' | 'drop'

export type ReceivedMail = {
  from: string
  to: string[]
  login: string | null
  isSecure: boolean
  headers: string
  text: string
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** `tls` is from the first byte with `isSecure`, and otherwise offered as STARTTLS. */
type Options = { offersLogin?: boolean; tls?: Identity; isSecure?: boolean }

/** A real SMTP server on loopback that keeps what it accepts. */
export async function startMailServer(t: TestContext, { offersLogin = false, tls, isSecure = false }: Options = {}) {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  let behavior: Behavior = 'accept'
  let connections = 0

  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => void sockets.delete(socket))
    wakeWaiting()
    if (behavior === 'trickle') return trickle(socket)
    if (behavior === 'hang') return
    const plain = { behavior, offersLogin, keep, isSecure }
    talk(isSecure && tls ? encrypt(socket, tls) : socket, { ...plain, ...(!isSecure && { tls }) })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function keep(mail: ReceivedMail): void {
    mails.push(mail)
    wakeWaiting()
  }
  function wakeWaiting(): void {
    for (const wake of [...waiting]) wake()
  }
  async function waitUntil(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      await new Promise<void>((resolve) => waiting.add(resolve))
      waiting.clear()
    }
  }
  /** Ends the connections that the server keeps waiting. */
  function disconnect(): void {
    for (const socket of sockets) socket.destroy()
  }
  t.after(() => {
    disconnect()
    server.close()
  })

  const { port } = server.address() as AddressInfo
  return {
    port,
    /** The settings of a hub that sends its mail here. */
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Hubline <hub@example.com>' },
    mails,
    disconnect,
    behave: (next: Behavior) => {
      behavior = next
    },
    /** The mail with this number, counted from 1, once it has arrived. */
    async receive(number: number): Promise<ReceivedMail> {
      await waitUntil(() => mails.length >= number)
      return mails[number - 1] as ReceivedMail
    },
    waitForConnections: (count: number) => waitUntil(() => connections >= count),
  }
}

function trickle(socket: Socket): void {
  const timer = setInterval(() => socket.write('220-wait\r\n'), 20)
  socket.on('close', () => clearInterval(timer))
}

function encrypt(socket: Socket, tls: Identity): TLSSocket {
  return new TLSSocket(socket, { isServer: true, ...tls }).on('error', () => undefined)
}

type Conversation = {
  behavior: Behavior
  offersLogin: boolean
  isSecure: boolean
  /** For STARTTLS. */
  tls?: Identity | undefined
  keep: (mail: ReceivedMail) => void
}

function talk(socket: Socket, conversation: Conversation, greeting = '220 localhost'): void {
  const { behavior, offersLogin, isSecure, tls, keep } = conversation
  let mail: ReceivedMail = { from: '', to: [], login: null, isSecure, headers: '', text: '' }
  let data: string[] | undefined
  const say = (line: string) => socket.write(`${line}\r\n`)
  const commands: Record<string, (line: string) => void> = {
    EHLO: () => {
      const offers = [...(offersLogin ? ['AUTH PLAIN'] : []), ...(tls ? ['STARTTLS'] : [])]
      say(['250-localhost', ...offers.map((offer) => `250-${offer}`), '250 HELP'].join('\r\n'))
    },
    STAR: () => {
      if (!tls) return void say('502 unknown')
      lines.close()
      say('220 go on')
      talk(encrypt(socket, tls), { ...conversation, isSecure: true, tls: undefined }, '')
    },
    AUTH: (line) => {
      mail.login = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .replaceAll('\0', ' ')
        .trim()
      say(behavior === 'refuse-login' ? `535 5.7.8 wrong login ${mail.login}` : '235 ok')
    },
    MAIL: (line) => {
      mail = { ...mail, from: readAddress(line), to: [] }
      say('250 ok')
    },
    RCPT: (line) => {
      const isRefused = behavior === 'refuse-recipient'
      if (!isRefused) mail.to.push(readAddress(line))
      say(isRefused ? `550 5.1.1 <${readAddress(line)}> unknown` : '250 ok')
    },
    DATA: () => {
      data = []
      say('354 go on')
    },
    QUIT: () => socket.end('221 bye\r\n'),
  }
  const lines = createInterface({ input: socket }).on('line', (line) => {
    if (data === undefined) return (commands[line.slice(0, 4).toUpperCase()] ?? (() => say('502 unknown')))(line)
    if (line !== '.') return data.push(line)
    if (behavior === 'drop') return socket.destroy()
    keep({ ...mail, ...parseMail(data) })
    data = undefined
    say('250 queued')
  })
  if (greeting) say(greeting)
}

function readAddress(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? ''
}

function parseMail(lines: string[]): { headers: string; text: string } {
  const end = lines.indexOf('')
  const headers = lines.slice(0, end).join('\n')
  const body = lines
    .slice(end + 1)
    .map((line) => line.replace(/^\.\./, '.'))
    .join('\n')
  if (/^Content-Transfer-Encoding: base64$/im.test(headers))
    return { headers, text: Buffer.from(body, 'base64').toString() }
  const isQuoted = /^Content-Transfer-Encoding: quoted-printable$/im.test(headers)
  return { headers, text: isQuoted ? decodeQuotedPrintable(body) : body }
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The address of the link in a mail. */
export function readLink({ text }: ReceivedMail): string {
  return /https?:\/\/\S+/.exec(text)?.[0] ?? ''
}

export function readLinkToken(mail: ReceivedMail): string {
  return readLink(mail).split('/').at(-1) ?? ''
}
