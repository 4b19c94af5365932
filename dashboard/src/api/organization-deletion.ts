import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hub } from './hub.ts'
import { sessionQuery, useSession } from './session.ts'

/** Keeps the organization of the session. Two places offer it: its settings, and the banner of every page. */
export function useDeletionCancel(onKept: () => void) {
  const { organization } = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => hub.console.cancelDeletion(organization.id),
    async onSuccess() {
      onKept()
      await Promise.all([
        client.invalidateQueries({ queryKey: ['settings'] }),
        client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ])
    },
  })
}
