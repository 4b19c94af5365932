import type { Webhook } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { webhooksQuery } from '../../../api/webhooks.ts'
import { showToast } from '../../../ui/states/toasts.tsx'
import { useWebhooksTexts } from '../webhooks-texts.ts'

/** Pauses, disables or resumes an endpoint. `refusal` says why the person may not. */
export function useStatusChange(id: string) {
  const t = useWebhooksTexts()
  const client = useQueryClient()
  const refusal = useRefusal('webhooks:write')
  const setStatus = useMutation({
    mutationFn: (status: Webhook['status']) => hub.webhooks.update(id, { status }),
    async onSuccess({ webhook: { status } }) {
      await client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
      showToast(t(status === 'active' ? 'resumed' : status))
    },
  })
  return { setStatus, refusal }
}
