import { useMutation, useQueryClient } from '@tanstack/react-query'
import { progressQuery } from '../progress-query.ts'

/** Does something for a step, then looks how far the organization has come. */
export function useStep<Variables, Result>(act: (variables: Variables) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: progressQuery.queryKey }),
  })
}
