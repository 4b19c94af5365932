import type { InspectorResponse } from '@hubline/sdk/console'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLiveQueries } from '../live/use-live-queries.ts'
import { hub } from './hub.ts'
import { useRefusal } from './permissions.ts'

type Data = InspectorResponse

export const inspectorQuery = queryOptions({
  queryKey: ['inspector'],
  queryFn: (): Promise<Data> => hub.console.showInspector(),
})

/** The receiver inside the hub, for people who may have one; stays current while it is shown. */
export function useInspector() {
  const refusal = useRefusal('webhooks:write')
  const query = useQuery({ ...inspectorQuery, enabled: refusal === undefined })
  const id = query.data?.inspector?.id
  useLiveQueries(inspectorQuery.queryKey, ({ endpoint_id }) => endpoint_id !== undefined && (!id || endpoint_id === id))
  return query
}

/** Changes the inspector and shows what the hub answered. */
export function useInspectorChange<Variables = void>(change: (variables: Variables) => Promise<Data | undefined>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (data) => data && client.setQueryData(inspectorQuery.queryKey, data),
    onSettled: () => client.invalidateQueries({ queryKey: inspectorQuery.queryKey }),
  })
}
