import fc from 'fast-check'
import { CONTACT, echoOf, statusOf, textMessage, USER_ID } from './samples.ts'
import { AT, type Channel, type Entry, framed } from './scene.ts'

/** One thing that the upstream tells, for whichever channel; `sends` are the names of what that channel sent itself. */
export type Told = {
  name: string
  time: number
  entryFor: (channel: Channel, sends: string[]) => Entry
}

const STATUSES = ['sent', 'delivered', 'read', 'played', 'failed']
export const SENDS = 2

const SOFT_WORDS: [string, object][] = [
  ['account_update', { event: 'ACCOUNT_RESTRICTION' }],
  ['account_update', { event: 'ACCOUNT_OFFBOARDED' }],
  ['account_update', { event: 'ACCOUNT_RECONNECTED' }],
  ['account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } }],
  ['account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } }],
  ['phone_number_quality_update', { event: 'FLAGGED' }],
  ['phone_number_quality_update', { event: 'UNFLAGGED' }],
]
const HARD_WORDS: [string, object][] = [
  ['account_update', { event: 'PARTNER_REMOVED' }],
  ['account_update', { event: 'ACCOUNT_DELETED' }],
  ['account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }],
]
const NEWS: [string, object][] = [
  ['phone_number_quality_update', { event: 'ONBOARDING', current_limit: 'TIER_2K' }],
  ['phone_number_name_update', { decision: 'APPROVED', requested_verified_name: 'Padaria Nova' }],
  ['message_template_status_update', { event: 'APPROVED', message_template_id: 1 }],
  ['message_template_quality_update', { message_template_id: 1, new_quality_score: 'RED' }],
  ['business_capability_update', { max_phone_numbers_per_waba: 5 }],
  ['a_field_of_the_future', { x: 1 }],
]

/** Everything that happened, in the order of its time. Words of a hard kind disconnect channels. */
export function conversations(words: 'soft' | 'hard'): fc.Arbitrary<Told[]> {
  const said = words === 'soft' ? SOFT_WORDS : [...SOFT_WORDS, ...HARD_WORDS, ...HARD_WORDS]
  const parts: fc.Arbitrary<Omit<Told, 'time'>[]>[] = [
    ...['in 1', 'in 2', 'in 3'].map(received),
    ...['echo 1', 'echo 2'].map((name) => withStatuses(name, echoed(name))),
    ...['foreign 1', 'foreign 2'].map((name) => withStatuses(name)),
    ...Array.from({ length: SENDS }, (_, i) => withStatuses(`sent ${i}`)),
    fc.array(fc.constantFrom(...said), { maxLength: 6 }).map((all) => all.map(news('word'))),
    fc.subarray(NEWS).map((all) => all.map(news('news'))),
  ]
  return fc
    .tuple(...parts)
    .chain((all) => fc.shuffledSubarray(all.flat(), { minLength: all.flat().length }))
    .map((all) => all.map((told, i) => ({ ...told, time: AT + i * 7 })))
    .map((all) => all.map((told) => ({ ...told, entryFor: (c, sends) => timed(told, told.entryFor(c, sends)) })))
}

/** Some of it in callbacks of any size, in any order, with repeats; all of it at least once. */
export function deliveriesOf(told: Told[]): fc.Arbitrary<Told[][]> {
  return fc
    .tuple(fc.subarray(told), fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }))
    .chain(([again, sizes]) => {
      const all = [...told, ...again]
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

function received(name: string): fc.Arbitrary<Omit<Told, 'time'>[]> {
  return fc.subarray([
    { name, entryFor: (c: Channel) => messaging(c, { contacts: [CONTACT], messages: [textMessage(name)] }) },
  ])
}

function echoed(name: string): Omit<Told, 'time'> {
  const entryFor = (channel: Channel) => {
    return messaging(channel, { message_echoes: [echoOf(channel.digits, name)] }, 'smb_message_echoes')
  }
  return { name: `${name} itself`, entryFor }
}

/** Any of the statuses of a message, and any of what else is given. */
function withStatuses(name: string, ...more: Omit<Told, 'time'>[]): fc.Arbitrary<Omit<Told, 'time'>[]> {
  const statuses = STATUSES.map((status) => ({
    name: `${name} ${status}`,
    entryFor: (channel: Channel, sends: string[]) => {
      const wamid = name.startsWith('sent ') ? (sends[Number(name.at(-1))] ?? '') : name
      const errors = status === 'failed' ? { errors: [{ code: 131026, title: 'Undeliverable' }] } : {}
      const pricing = status === 'sent' || status === 'read' ? { pricing: { category: 'service' } } : {}
      const contacts = status === 'failed' ? {} : { contacts: [CONTACT] }
      const told = statusOf(wamid, status, { recipient_user_id: USER_ID, ...errors, ...pricing })
      return messaging(channel, { ...contacts, statuses: [told] })
    },
  }))
  return fc.subarray([...more, ...statuses])
}

function news(kind: string) {
  return ([field, value]: [string, object], i: number): Omit<Told, 'time'> => ({
    name: `${kind} ${i}`,
    entryFor: ({ number, digits }) => {
      const display = field.startsWith('phone_number_') ? { display_phone_number: digits } : {}
      return { id: number.wabaId, changes: [{ field, value: { ...value, ...display } }] }
    },
  })
}

function messaging(channel: Channel, value: object, field = 'messages'): Entry {
  return { id: channel.number.wabaId, changes: [{ field, value: { ...framed(channel), ...value } }] }
}

/** The time goes where the upstream puts it: into messages and statuses, or else beside the changes. */
function timed({ name, time }: { name: string; time: number }, { id, changes }: Entry): Entry {
  const [{ field, value } = { field: '', value: {} }] = changes
  const isMessaging = field === 'messages' || field === 'smb_message_echoes'
  const stamped = { ...(value as object), told: name }
  const text = JSON.stringify(stamped).replaceAll(`"timestamp":"${AT}"`, `"timestamp":"${time}"`)
  return { id, ...(!isMessaging && { time }), changes: [{ field, value: JSON.parse(text) }] }
}
