import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useInspector, useInspectorChange } from '../../../api/inspector.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { useCrumb } from '../../../lib/crumb.ts'
import { Button, ButtonLink } from '../../../ui/controls/button.tsx'
import { Page, PageHeader } from '../../../ui/data/card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { EmptyState, ErrorState, FailureNotice, Skeleton } from '../../../ui/states/list-states.tsx'
import { InspectorPanel } from './inspector-panel.tsx'
import { useInspectorTexts } from './inspector-texts.ts'

/** The receiver inside the hub, beside the endpoints. */
export function InspectorPage() {
  const t = useInspectorTexts()
  const navigate = useNavigate()
  const refusal = useRefusal('webhooks:write')
  const shown = useInspector()
  const [isDeleting, setDeleting] = useState(false)
  const create = useInspectorChange(() => hub.console.createInspector())
  const remove = useInspectorChange(async () => {
    await hub.console.deleteInspector()
    void navigate({ to: '/webhooks' })
    return undefined
  })
  useCrumb(t('title'))
  const inspector = shown.data?.inspector
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={
          <>
            {inspector && (
              <Button icon="trash" onClick={() => setDeleting(true)}>
                {t('delete')}
              </Button>
            )}
            <ButtonLink icon="webhook" to="/webhooks" search={{ dialog: 'create' }}>
              {t('ownEndpoint')}
            </ButtonLink>
          </>
        }
      >
        {t('subtitle')}
      </PageHeader>
      {refusal === undefined && shown.isPending ? (
        <Skeleton rowClass="h-14" />
      ) : shown.isLoadingError ? (
        <ErrorState title={t('loadFailed')} error={shown.error} onRetry={() => void shown.refetch()} />
      ) : shown.data?.is_available === false ? (
        <EmptyState title={t('off')}>{t('offText')}</EmptyState>
      ) : inspector ? (
        <InspectorPanel inspector={inspector} />
      ) : (
        <EmptyState
          title={t('startTitle')}
          actions={
            <Button
              kind="primary"
              icon="arrow-in"
              reason={refusal}
              isBusy={create.isPending}
              onClick={() => create.mutate()}
            >
              {t('title')}
            </Button>
          }
        >
          {t('startText')}
          {create.error && <FailureNotice error={create.error} />}
        </EmptyState>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={t('deleteTitle')}
          action={t('delete')}
          isDanger
          isBusy={remove.isPending}
          error={remove.error && <FailureNotice error={remove.error} />}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        >
          <p>{t('deleteText')}</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}
