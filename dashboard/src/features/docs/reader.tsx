import type { Channel } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { createStore } from '../../lib/store.ts'
import type { CodePart, Filled } from './content.ts'

const STORED = 'hubline.docs-channel'

/** These stand in an example while nothing better is known. */
const PLACEHOLDERS: Record<Filled, string> = {
  origin: location.origin,
  channel: '{channel_id}',
  phone: '<phone_number_id>',
  waba: '<waba_id>',
}

const chosenId = createStore<string | undefined>(localStorage.getItem(STORED) ?? undefined)

/** The choice holds in every guide, and the next time. */
export function chooseChannel(id: string): void {
  localStorage.setItem(STORED, id)
  chosenId.set(id)
}

type Reader = { isSignedIn: boolean; channels: readonly Channel[]; channel: Channel | undefined }

const Context = createContext<Reader>({ isSignedIn: false, channels: [], channel: undefined })

export function useReader(): Reader {
  return use(Context)
}

/** Without a session nothing is asked of the hub, and the examples keep their placeholders. */
export function ReaderProvider({ isSignedIn, children }: { isSignedIn: boolean; children: ReactNode }) {
  const { data: channels = [] } = useQuery({ ...channelsQuery, enabled: isSignedIn })
  const chosen = chosenId.use()
  const channel =
    channels.find(({ id }) => id === chosen) ?? channels.find(({ status }) => status === 'active') ?? channels[0]
  return <Context value={{ isSignedIn, channels, channel }}>{children}</Context>
}

/** The value for a place in an example. It is the reader's own if the channel has one. */
export function useFilledValue(): (value: Filled) => { text: string; isOwn: boolean } {
  const { channel } = useReader()
  return (value) => {
    const own = { origin: undefined, channel: channel?.id, phone: channel?.phone_number_id, waba: channel?.waba_id }[
      value
    ]
    return own ? { text: own, isOwn: true } : { text: PLACEHOLDERS[value], isOwn: false }
  }
}

/** The code as the reader copies it. */
export function useFilledText(): (parts: readonly CodePart[]) => string {
  const fill = useFilledValue()
  return (parts) =>
    parts
      .map((part) => (typeof part === 'string' ? part : 'value' in part ? fill(part.value).text : part.text))
      .join('')
}
