import type { ChannelStatus, Verdict } from './status.ts'

/** What the upstream says by itself: a verdict on the account or on the number, or a new name. */
export type Word = {
  organizationId: string
  channelId: string
  /** Unix seconds. */
  saidAt: number
} & (AccountWord | NumberWord | NameWord)

type AccountWord = {
  about: 'account'
  verdict: Verdict
  /** Until when a bad word stands, in Unix milliseconds, whatever the number says of itself. */
  heldUntil: number
}
type NumberWord = { about: 'number'; verdict: Verdict }
type NameWord = { about: 'name'; verifiedName: string }

/** What a channel has heard so far, each with the second in which it was said. */
export type Heard = {
  status: ChannelStatus
  verifiedName: string | null
  accountWord: ChannelStatus | null
  accountWordAt: number
  heldUntil: number
  numberWord: ChannelStatus | null
  numberWordAt: number
  nameWordAt: number
}

/** Words come late, twice and out of order: one that is older than the last on the same matter changes nothing. */
export function hear(heard: Heard, word: Word, now: number): Heard {
  const { saidAt } = word
  if (word.about === 'name') {
    return saidAt < heard.nameWordAt ? heard : { ...heard, verifiedName: word.verifiedName, nameWordAt: saidAt }
  }
  const { status } = word.verdict
  if (word.about === 'account') {
    if (saidAt < heard.accountWordAt) return heard
    const heldUntil = status === 'active' ? 0 : word.heldUntil
    return settle({ ...heard, accountWord: status, accountWordAt: saidAt, heldUntil }, word, now)
  }
  if (saidAt < heard.numberWordAt) return heard
  return settle({ ...heard, numberWord: status, numberWordAt: saidAt }, word, now)
}

/**
 * A bad word on the account outweighs whatever the number says. A number that is
 * well again lifts what was said of it, and does not bring back a channel that
 * lost its account or its credential.
 */
function settle(heard: Heard, word: AccountWord | NumberWord, now: number): Heard {
  const { status, accountWord, numberWord } = heard
  if (accountWord !== null && heard.heldUntil > now) return { ...heard, status: accountWord }
  if (word.about === 'number' && status === 'disconnected') return heard
  if (numberWord === 'degraded') return { ...heard, status: 'degraded' }
  return word.verdict.status === 'active' ? { ...heard, status: 'active' } : heard
}
