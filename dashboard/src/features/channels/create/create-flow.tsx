import type { CreateChannel } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { rememberLink } from '../link/known-links.ts'
import { CreateDialog } from './create-dialog.tsx'
import type { Created } from './created.ts'
import { CreatedSheet } from './created-sheet.tsx'

/** A form, then its result. The token is shown even where no link could be created. */
export function CreateChannelFlow({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const client = useQueryClient()
  const [created, setCreated] = useState<Created>()
  const create = useMutation({
    async mutationFn(body: CreateChannel): Promise<Created> {
      const answer = await hub.channels.create(body)
      const link = await hub.channels.createConnectLink(answer.channel.id).catch(() => undefined)
      return { ...answer, name: body.name, link }
    },
    onSuccess(result) {
      if (result.link) rememberLink(client, result.channel.id, result.link)
      setCreated(result)
      onCreated()
    },
  })
  if (created) return <CreatedSheet created={created} onDone={onClose} />
  return (
    <CreateDialog
      isBusy={create.isPending}
      error={create.error}
      onCreate={(body) => create.mutate(body)}
      onClose={() => {
        // The token that is on its way would be lost.
        if (!create.isPending) onClose()
      }}
    />
  )
}
