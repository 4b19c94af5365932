import type { Model, Step } from './explore.ts'

/**
 * The model of `server/src/domains/messages/sending`: processes that send with Idempotency-Keys. One step is one committed
 * statement, one message on a wire, or one fault.
 *
 * There is no clock. A lease may end at any time, and a call may time out while its request is still on its way: so every
 * offset of a clock and every pause of a process is included.
 */
export const SEND_FAULTS = [
  'the upstream is called before the reservation is committed',
  'the answer is given before the outcome is committed',
  'a lease that expires frees the key',
  'an unknown outcome frees the key',
  'an outcome is recorded without the lock of the unsettled send',
] as const
export type SendFault = (typeof SEND_FAULTS)[number]

const RANKS = { sending: 0, unknown: 1, accepted: 2, failed: 2, delivered: 3 }
type Status = keyof typeof RANKS
type Outcome = 'accepted' | 'refused' | 'not-sent' | 'unknown'

/** A row of the log, its unsettled send (`isOpen`), and what the upstream did. */
type Message = {
  status: Status
  isOpen: boolean
  isLeased: boolean
  isUnderWay: boolean
  sent: number
  events: number
  isAcknowledged: boolean
}
/** `holder` is the message that the key names, -1 for none. */
type Key = { holder: number; messages: Message[] }
/** The state of a process: it does nothing, or a send in one of its phases. */
type Process = null | { key: number; message: number; phase: 'reserved' | 'calling' | Outcome }
export type SendState = { keys: Key[]; processes: Process[] }

/** After a send that was certainly not sent, the key is free for another. */
const MESSAGES_MAX = 2

export function createSendModel({ keys = 2, processes = 2, fault = null as SendFault | null } = {}): Model<SendState> {
  const unused = { holder: -1, messages: [] }
  return {
    initial: { keys: Array(keys).fill(unused), processes: Array(processes).fill(null) },
    listSteps: (state) => [...listProcessSteps(state, fault), ...listMessageSteps(state, fault)],
    findBroken,
    findBrokenChange,
    findUnfinished,
    label: ({ keys }) => keys.map(labelKey),
  }
}

function labelKey({ holder, messages }: Key): string {
  const message = messages[holder]
  if (!message) return 'free'
  if (message.status === 'failed') return 'refused'
  if (message.status === 'sending') return 'in progress'
  return message.status === 'delivered' ? 'accepted' : message.status
}

function listProcessSteps(state: SendState, fault: SendFault | null): Step<SendState>[] {
  return state.processes.flatMap((process, p) => {
    const name = (text: string) => `${text} (process ${p + 1}, key ${(process?.key ?? 0) + 1})`
    const become = (next: Process, from = state): SendState => ({
      ...from,
      processes: from.processes.with(p, next),
    })
    if (process === null) return state.keys.flatMap((_, key) => listRequests(state, p, key, fault))
    const { key, message, phase } = process
    const crash: Step<SendState> = { name: name('the process dies'), by: 'environment', to: become(null) }
    const next = (text: string, to: SendState): Step<SendState> => ({ name: name(text), by: 'hub', to })
    if (phase === 'reserved') {
      const isLate = fault === 'the upstream is called before the reservation is committed'
      const called = change(isLate ? hold(state, key, message) : state, key, message, { isUnderWay: true })
      return [
        crash,
        next('the upstream is called', become({ ...process, phase: 'calling' }, called)),
        next('no connection to the upstream', become({ ...process, phase: 'not-sent' })),
      ]
    }
    if (phase === 'calling') return [crash, next('the call times out', become({ ...process, phase: 'unknown' }))]
    const outcome = phase === 'unknown' && fault === 'an unknown outcome frees the key' ? 'not-sent' : phase
    const settled = settle(state, { key, message, outcome }, fault)
    const answered = become(
      null,
      phase === 'accepted' ? change(settled, key, message, { isAcknowledged: true }) : settled,
    )
    const early = change(state, key, message, { isAcknowledged: true })
    const isEarly = fault === 'the answer is given before the outcome is committed' && phase === 'accepted'
    return [
      crash,
      ...(isEarly ? [next('the client is answered', early)] : []),
      next(`the outcome is recorded: ${phase}`, answered),
      // The answer of the database is lost, and the write is repeated.
      { ...next(`the outcome is recorded: ${phase}`, { ...settled }), by: 'environment' },
    ]
  })
}

/** Reserves the key, or finds the send that holds it. */
function listRequests(state: SendState, p: number, key: number, fault: SendFault | null): Step<SendState>[] {
  const { holder, messages } = state.keys[key] as Key
  const held = messages[holder]
  const name = `a request arrives (process ${p + 1}, key ${key + 1})`
  if (held) {
    const isAccepted = held.status === 'accepted' || held.status === 'delivered'
    return isAccepted ? [{ name, by: 'environment', to: change(state, key, holder, { isAcknowledged: true }) }] : []
  }
  if (messages.length === MESSAGES_MAX) return []
  const message = messages.length
  const row: Message = {
    status: 'sending',
    isOpen: true,
    isLeased: true,
    isUnderWay: false,
    sent: 0,
    events: 0,
    isAcknowledged: false,
  }
  const isLate = fault === 'the upstream is called before the reservation is committed'
  const reserved = changeKey(state, key, { holder: isLate ? -1 : message, messages: [...messages, row] })
  const processes = reserved.processes.with(p, { key, message, phase: 'reserved' })
  return [
    { name, by: 'environment', to: { ...reserved, processes } },
    // Committed, but the answer of the database is lost: the request ends with an error.
    { name, by: 'environment', to: reserved },
  ]
}

/** Lists what can happen to a message outside of the process that sends it. */
function listMessageSteps(state: SendState, fault: SendFault | null): Step<SendState>[] {
  return state.keys.flatMap(({ messages }, key) =>
    messages.flatMap((row, message) => {
      const steps: Step<SendState>[] = []
      const add = (text: string, to: SendState) =>
        steps.push({ name: `${text} (key ${key + 1}, message ${message + 1})`, by: 'hub', to })
      const put = (changes: Partial<Message>, from = state) => change(from, key, message, changes)
      if (row.isUnderWay) {
        const effects = { accepted: row.sent + 1, refused: row.sent, 'not-sent': row.sent }
        for (const [outcome, sent] of Object.entries(effects)) {
          const taken = put({ isUnderWay: false, sent })
          add(`the upstream decides: ${outcome}`, answer(taken, { key, message, outcome: outcome as Outcome }))
          add(`the upstream decides: ${outcome}, and its answer is lost`, taken)
        }
        add('the request is lost', put({ isUnderWay: false }))
      }
      if (row.isOpen && row.isLeased) {
        const marked = put({ isLeased: false, status: row.status === 'sending' ? 'unknown' : row.status })
        const isFreed = fault === 'a lease that expires frees the key'
        add(
          'the lease expires, or the process is found dead',
          isFreed ? changeKey(marked, key, { holder: -1 }) : marked,
        )
      }
      // Reported before or after the answer, and again and again.
      if (row.sent > 0 && row.status !== 'delivered') {
        const settled = settle(state, { key, message, outcome: 'accepted' }, fault)
        add('a status arrives', put({ status: 'delivered' }, settled))
      }
      return steps
    }),
  )
}

/** Records an outcome, if the send is unsettled: the row of the unsettled send is locked first. */
function settle(
  state: SendState,
  { key, message, outcome }: { key: number; message: number; outcome: Outcome },
  fault: SendFault | null,
): SendState {
  const row = state.keys[key]?.messages[message]
  const isUnlocked = fault === 'an outcome is recorded without the lock of the unsettled send'
  if (!row || !(row.isOpen || isUnlocked)) return state
  if (outcome === 'unknown') return change(state, key, message, { status: 'unknown', isLeased: false })
  const closed = { isOpen: false, isLeased: false }
  if (outcome === 'accepted')
    return change(state, key, message, { ...closed, status: 'accepted', events: row.events + 1 })
  const failed = change(state, key, message, { ...closed, status: 'failed' })
  const isFreed = outcome === 'not-sent' && failed.keys[key]?.holder === message
  return isFreed ? changeKey(failed, key, { holder: -1 }) : failed
}

function answer(state: SendState, { key, message, outcome }: { key: number; message: number; outcome: Outcome }) {
  const processes = state.processes.map((process) => {
    const isCaller = process?.key === key && process.message === message && process.phase === 'calling'
    return isCaller ? { ...process, phase: outcome } : process
  })
  return { ...state, processes }
}

const hold = (state: SendState, key: number, message: number) => changeKey(state, key, { holder: message })

function change(state: SendState, key: number, message: number, changes: Partial<Message>): SendState {
  const messages = state.keys[key]?.messages.map((row, n) => (n === message ? { ...row, ...changes } : row)) ?? []
  return changeKey(state, key, { messages })
}

function changeKey(state: SendState, key: number, changes: Partial<Key>): SendState {
  return { ...state, keys: state.keys.map((one, n) => (n === key ? { ...one, ...changes } : one)) }
}

function findBroken({ keys }: SendState): string | undefined {
  for (const { messages } of keys) {
    if (messages.reduce((sum, { sent }) => sum + sent, 0) > 1) return 'a key sent twice'
    for (const { isAcknowledged, status, sent, events } of messages) {
      if (isAcknowledged && (RANKS[status] < RANKS.accepted || status === 'failed'))
        return 'an acknowledged send is not accepted in the log'
      if (isAcknowledged && sent !== 1) return 'an acknowledged send was not sent once'
      if (events > 1) return 'message.sent was recorded twice'
      if (events > sent) return 'message.sent was recorded for a message that was not sent'
    }
  }
  return undefined
}

function findBrokenChange(from: SendState, to: SendState): string | undefined {
  const messages = from.keys.flatMap(({ messages }, key) => messages.map((row, n) => ({ row, key, n })))
  const fallen = messages.some(({ row, key, n }) => {
    const status = to.keys[key]?.messages[n]?.status ?? 'sending'
    return RANKS[status] < RANKS[row.status] || (row.status === 'failed' && status !== 'failed')
  })
  return fallen ? 'the status of a message fell' : undefined
}

function findUnfinished({ keys }: SendState): string | undefined {
  const messages = keys.flatMap(({ messages }) => messages)
  if (messages.some(({ status }) => status === 'sending')) return 'a send stays in progress'
  const isUnsettled = messages.some(({ sent, status }) => sent > 0 && status !== 'delivered')
  return isUnsettled ? 'a message that was sent is not settled' : undefined
}
