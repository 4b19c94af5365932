import fc from 'fast-check'
import { AT, buildMetadata, type Channel, type Entry } from './fixture.ts'
import { buildEcho, buildStatus, buildText, CONTACT, USER_ID } from './samples.ts'

/** One update of the upstream, for any channel; `sends` are the upstream ids of the channel's own sends. */
export type Update = {
  name: string
  time: number
  entryFor: (channel: Channel, sends: string[]) => Entry
}

const STATUSES = ['sent', 'delivered', 'read', 'played', 'failed']
export const SENDS = 2

const SOFT_SIGNALS: [string, object][] = [
  ['account_update', { event: 'ACCOUNT_RESTRICTION' }],
  ['account_update', { event: 'ACCOUNT_OFFBOARDED' }],
  ['account_update', { event: 'ACCOUNT_RECONNECTED' }],
  ['account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } }],
  ['account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } }],
  ['phone_number_quality_update', { event: 'FLAGGED' }],
  ['phone_number_quality_update', { event: 'UNFLAGGED' }],
]
const HARD_SIGNALS: [string, object][] = [
  ['account_update', { event: 'PARTNER_REMOVED' }],
  ['account_update', { event: 'ACCOUNT_DELETED' }],
  ['account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }],
]
const NOTICES: [string, object][] = [
  ['phone_number_quality_update', { event: 'ONBOARDING', current_limit: 'TIER_2K' }],
  ['phone_number_name_update', { decision: 'APPROVED', requested_verified_name: 'Padaria Nova' }],
  ['message_template_status_update', { event: 'APPROVED', message_template_id: 1 }],
  ['message_template_quality_update', { message_template_id: 1, new_quality_score: 'RED' }],
  ['business_capability_update', { max_phone_numbers_per_waba: 5 }],
  ['a_field_of_the_future', { x: 1 }],
]

/** Updates in the order of their times. Hard signals disconnect channels. */
export function conversations(signals: 'soft' | 'hard'): fc.Arbitrary<Update[]> {
  const signaled = signals === 'soft' ? SOFT_SIGNALS : [...SOFT_SIGNALS, ...HARD_SIGNALS, ...HARD_SIGNALS]
  const parts: fc.Arbitrary<Omit<Update, 'time'>[]>[] = [
    ...['in 1', 'in 2', 'in 3'].map(received),
    ...['echo 1', 'echo 2'].map((name) => withStatuses(name, echoed(name))),
    ...['foreign 1', 'foreign 2'].map((name) => withStatuses(name)),
    ...Array.from({ length: SENDS }, (_, i) => withStatuses(`sent ${i}`)),
    fc.array(fc.constantFrom(...signaled), { maxLength: 6 }).map((all) => all.map(toUpdate('signal'))),
    fc.subarray(NOTICES).map((all) => all.map(toUpdate('notice'))),
  ]
  return fc
    .tuple(...parts)
    .chain((all) => fc.shuffledSubarray(all.flat(), { minLength: all.flat().length }))
    .map((all) => all.map((update, i) => ({ ...update, time: AT + i * 7 })))
    .map((all) =>
      all.map((update) => ({ ...update, entryFor: (c, sends) => setTime(update, update.entryFor(c, sends)) })),
    )
}

/** The updates in callbacks of any size, in any order and with repeats; each at least once. */
export function arrangeDeliveries(updates: Update[]): fc.Arbitrary<Update[][]> {
  return fc
    .tuple(fc.subarray(updates), fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }))
    .chain(([again, sizes]) => {
      const all = [...updates, ...again]
      return fc.shuffledSubarray(all, { minLength: all.length }).map((order) => cut(order, sizes))
    })
}

function cut<T>(items: T[], sizes: number[]): T[][] {
  const pieces: T[][] = []
  for (let at = 0, i = 0; at < items.length; i++) {
    const size = sizes[i % sizes.length]!
    pieces.push(items.slice(at, at + size))
    at += size
  }
  return pieces
}

function received(name: string): fc.Arbitrary<Omit<Update, 'time'>[]> {
  return fc.subarray([
    { name, entryFor: (c: Channel) => messaging(c, { contacts: [CONTACT], messages: [buildText(name)] }) },
  ])
}

function echoed(name: string): Omit<Update, 'time'> {
  const entryFor = (channel: Channel) => {
    return messaging(channel, { message_echoes: [buildEcho(channel.digits, name)] }, 'smb_message_echoes')
  }
  return { name: `${name} itself`, entryFor }
}

/** Any of a message's statuses, and any of the given updates. */
function withStatuses(name: string, ...more: Omit<Update, 'time'>[]): fc.Arbitrary<Omit<Update, 'time'>[]> {
  const statuses = STATUSES.map((status) => ({
    name: `${name} ${status}`,
    entryFor: (channel: Channel, sends: string[]) => {
      const wamid = name.startsWith('sent ') ? (sends[Number(name.at(-1))] ?? '') : name
      const errors = status === 'failed' ? { errors: [{ code: 131026, title: 'Undeliverable' }] } : {}
      const pricing = status === 'sent' || status === 'read' ? { pricing: { category: 'service' } } : {}
      const contacts = status === 'failed' ? {} : { contacts: [CONTACT] }
      const reported = buildStatus(wamid, status, { recipient_user_id: USER_ID, ...errors, ...pricing })
      return messaging(channel, { ...contacts, statuses: [reported] })
    },
  }))
  return fc.subarray([...more, ...statuses])
}

function toUpdate(kind: string) {
  return ([field, value]: [string, object], i: number): Omit<Update, 'time'> => ({
    name: `${kind} ${i}`,
    entryFor: ({ number, digits }) => {
      const display = field.startsWith('phone_number_') ? { display_phone_number: digits } : {}
      return { id: number.wabaId, changes: [{ field, value: { ...value, ...display } }] }
    },
  })
}

function messaging(channel: Channel, value: object, field = 'messages'): Entry {
  return { id: channel.number.wabaId, changes: [{ field, value: { ...buildMetadata(channel), ...value } }] }
}

/** Sets the time where the upstream puts it: in messages and statuses, or in the entry. */
function setTime({ name, time }: { name: string; time: number }, { id, changes }: Entry): Entry {
  const [{ field, value } = { field: '', value: {} }] = changes
  const isMessaging = field === 'messages' || field === 'smb_message_echoes'
  const stamped = { ...(value as object), update: name }
  const text = JSON.stringify(stamped).replaceAll(`"timestamp":"${AT}"`, `"timestamp":"${time}"`)
  return { id, ...(!isMessaging && { time }), changes: [{ field, value: JSON.parse(text) }] }
}
