import type { Channel } from '@hubline/sdk/console'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../../../api/hub.ts'
import { useRefusal } from '../../../../api/permissions.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../../ui/states/list-states.tsx'
import { showToast } from '../../../../ui/states/toasts.tsx'
import { useTokenTexts } from './token-texts.ts'

export function RevokeCard({ channel }: { channel: Channel }) {
  const t = useTokenTexts()
  const refusal = useRefusal('channels:write')
  const [isAsking, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => hub.channels.revokeToken(channel.id),
    onSuccess() {
      setAsking(false)
      showToast(t('revoked'))
    },
  })
  return (
    <Card title={t('revokeCard')}>
      <div className="flex flex-col items-start gap-4">
        <p>{t('revokeCardText')}</p>
        <Button kind="danger" icon="ring-minus" reason={refusal} onClick={() => setAsking(true)}>
          {t('revoke')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('revokeTitle', { name: channel.name })}
          action={t('revoke')}
          name={channel.name}
          isBusy={revoke.isPending}
          error={revoke.error && <FailureNotice error={revoke.error} />}
          onConfirm={() => revoke.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t('revokeText')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
