import type { RevealedMessage } from '@hubline/sdk/console'
import { useMutation } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'

export type Reveal = ReturnType<typeof useReveal>

/** The content of a message, after a person has asked for it. It is kept no longer than its drawer is open. */
export function useReveal(id: string) {
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: (): Promise<RevealedMessage> => hub.console.revealMessage(id),
  })
  return { content: data, error, isPending, show: () => mutate(), hide: reset }
}
