import type { ConsoleMessage } from '@hubline/sdk/console'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { nameOnce, toPersonKey } from './person-key.ts'

type NameMap = ReadonlyMap<string, string | null>

export type Names = {
  isShown: boolean
  isPending: boolean
  error: Error | null
  /** Undefined while it is hidden or not known yet; null if the person has none. */
  find: (message: ConsoleMessage) => string | null | undefined
  show: () => void
  hide: () => void
}

/**
 * The names of the people in the list, once a person asks for them. Each person is asked for once, since each request is
 * an entry in the audit log. They are kept no longer than the page is open.
 */
export function useNames(rows: readonly ConsoleMessage[]): Names {
  const [isShown, setShown] = useState(false)
  const [names, setNames] = useState<NameMap>(new Map())
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (messages: readonly ConsoleMessage[]) => {
      return hub.console.revealNames({ message_ids: messages.map(({ id }) => id) }).firstPage()
    },
    onSuccess: ({ items }, messages) => {
      const byMessage = new Map(items.map(({ message_id, name }) => [message_id, name]))
      const added = messages.map((message) => [toPersonKey(message), byMessage.get(message.id) ?? null] as const)
      setNames((known) => new Map([...known, ...added]))
    },
  })
  useEffect(() => {
    if (!isShown || isPending || error) return
    const unknown = nameOnce(rows, names)
    if (unknown.length > 0) mutate(unknown)
  }, [isShown, isPending, error, rows, names, mutate])
  return {
    isShown,
    isPending,
    error,
    find: (message) => (isShown ? names.get(toPersonKey(message)) : undefined),
    show: () => {
      reset()
      setShown(true)
    },
    hide: () => {
      setShown(false)
      setNames(new Map())
    },
  }
}
