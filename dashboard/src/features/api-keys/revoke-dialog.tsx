import type { ApiKey } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { showToast } from '../../ui/states/toasts.tsx'
import { useApiKeysTexts } from './api-keys-texts.ts'
import { useAge } from './last-used.tsx'

/** Says when the key was used last before it is gone. */
export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useApiKeysTexts()
  const client = useQueryClient()
  const age = useAge(apiKey.last_used_at)
  const revoke = useMutation({
    mutationFn: () => hub.apiKeys.revoke(apiKey.id),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['api-keys'] })
      showToast(t('revoked'))
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t('revokeTitle')}
      action={t('revoke')}
      name={apiKey.name}
      isBusy={revoke.isPending}
      error={revoke.error && <FailureNotice error={revoke.error} />}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{t('revokeText')}</p>
      {apiKey.last_used_at === null ? (
        <p>{t('revokeUnused')}</p>
      ) : (
        <Notice tone="warn" title={t('revokeUsed', { age })}>
          {t('revokeUsedText')}
        </Notice>
      )}
    </ConfirmDialog>
  )
}
