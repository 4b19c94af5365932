import type { History } from '../torture/checker.ts'

/**
 * Compares a restored hub with what happened before. Like the checker of the torture it shares no code with the hub: it reads
 * the ledgers of the upstream and the receivers and the answers of the API.
 */
// biome-ignore lint/suspicious/noExplicitAny: lines of ledgers and answers have any shape
type Line = any
/** When the backup was made, when the restored hub was there, and when its workers began. */
export type Times = { backup: { from: number; at: number }; restored: number; working: number }
export type Restored = { problems: string[]; counts: Record<string, number> }

const RANKS = ['sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read']
const OPEN = new Set(['pending', 'processing', 'retry'])

export function checkRestored({ calls, upstream, receivers }: History, { backup, restored, working }: Times): Restored {
  const problems: string[] = []
  const isBefore = ({ at }: Line) => at < backup.from
  const isAfter = ({ from, at }: Line) => from > backup.at && at < restored
  const now = calls.filter(({ from }) => from >= restored)
  const log = indexLog(now.filter(({ kind, from }) => kind === 'final log' && from < working))
  const logAtEnd = indexLog(now.filter(({ kind, from }) => kind === 'final log' && from >= working))

  const sends = calls.filter(({ kind, status, from }) => kind === 'send' && status === 202 && from < restored)
  const sentBefore = sends.filter(isBefore)
  for (const { key, answer } of sentBefore) {
    const { id, upstream_message_id } = answer.data.message
    if (log.get(upstream_message_id)?.id !== id)
      problems.push(`${key} was answered 202 before the backup, and is not in the log`)
  }
  // A key whose first send had no answer in time may have been sent before the backup.
  const attempts = calls.filter(({ kind, from }) => kind === 'send' && from < restored)
  const begunAfter = Map.groupBy(attempts, ({ key }) => key)
  const sentAfter = [...begunAfter.values()]
    .filter((list) => list.every(isAfter))
    .flatMap((list) => list.find(({ status }) => status === 202) ?? [])
  const knownAfter = sentAfter.filter(({ answer }) => log.has(answer.data.message.upstream_message_id))
  if (knownAfter.length > 0) problems.push(`${knownAfter.length} sends after the backup are in the restored log`)

  const updates = upstream
    .filter((line) => line.entry === 'callback' && line.status === 200 && isBefore(line))
    .flatMap((line) => line.updates)
  for (const { id, status } of updates) {
    const message = log.get(id)
    const isAsFar = message && (status === null || RANKS.indexOf(message.status) >= RANKS.indexOf(status))
    if (!isAsFar)
      problems.push(`${id} was reported (${status ?? 'message'}) before the backup, and is ${message?.status}`)
  }

  const taken = upstream.filter(({ entry, isTaken }) => entry === 'message' && isTaken)
  const countTaken = (key: string) => taken.filter(({ text }) => String(text).split(' ')[1] === key).length
  const asked = now.filter(({ kind }) => kind === 'final send')
  const repeatedBefore = asked.filter(({ key }) => sentBefore.some((one) => one.key === key))
  for (const { key, status, answer } of repeatedBefore) {
    const first = sentBefore.find((one) => one.key === key)
    const isSame = status === 202 && answer.data.message.id === first.answer.data.message.id
    if (!isSame || countTaken(key) !== 1) problems.push(`${key} was sent before the backup, and a repeat is ${status}`)
  }
  const repeatedAfter = asked.filter(({ key }) => sentAfter.some((one) => one.key === key))
  const sentTwice = repeatedAfter.filter(({ key }) => countTaken(key) === 2)
  if (sentTwice.length < repeatedAfter.length)
    problems.push('a repeat of a send after the backup has not sent it again')
  const appeared = sentAfter.filter(({ answer }) => logAtEnd.has(answer.data.message.upstream_message_id))

  for (const { status, isExpected } of now.filter(({ kind }) => kind === 'try a key')) {
    if ((status === 200) !== isExpected) problems.push(`a key is answered ${status}`)
  }

  const arrivals = receivers.filter(({ at }) => at >= restored)
  const early = arrivals.filter(({ at }) => at < working)
  if (early.length > 0) problems.push(`${early.length} deliveries were made before the workers began`)
  const open = new Map<string, string>()
  const ended = new Map<string, string>()
  const active = now.filter(
    ({ kind, answer }) => kind === 'show an endpoint' && answer?.data?.webhook?.status === 'active',
  )
  for (const { kind, from, answer, endpoint } of now) {
    if (kind !== 'list deliveries' || !active.some((one) => one.endpoint === endpoint)) continue
    for (const { id, status } of answer?.data?.deliveries ?? []) {
      if (from < working && OPEN.has(status)) open.set(id, status)
      if (from >= working) ended.set(id, status)
    }
  }
  const attempted = [...open.keys()].filter((id) => arrivals.some(({ deliveryId }) => deliveryId === id))
  const waiting = [...open.keys()].filter((id) => !attempted.includes(id) && ended.get(id) === 'retry')
  const again = attempted.filter((id) => receivers.some((line) => line.deliveryId === id && line.at < restored))
  if (attempted.length + waiting.length < open.size)
    problems.push('a delivery that was open in the backup was not attempted')

  return {
    problems,
    counts: {
      'sends answered 202 before the backup, all in the log': sentBefore.length,
      'statuses and messages acknowledged before the backup, all in the log': updates.length,
      'repeats of keys from before the backup, all with their first answer': repeatedBefore.length,
      'sends answered 202 after the backup, none in the log': sentAfter.length,
      'of those that were repeated, sent a second time': sentTwice.length,
      'of those that appeared with a status callback or a repeat': appeared.length,
      'deliveries of active endpoints that were open in the backup': open.size,
      'of those attempted once the workers ran': attempted.length,
      'of those that receivers had already got': again.length,
    },
  }
}

function indexLog(calls: Line[]): Map<string, Line> {
  const messages = calls.flatMap(({ answer }) => answer?.data?.messages ?? [])
  return new Map(messages.map((message: Line) => [message.upstream_message_id, message]))
}
