import type { Channel } from '@hubline/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { Button, ButtonLink } from '../../../ui/controls/button.tsx'
import { Id } from '../../../ui/controls/copy.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Facts } from '../../../ui/data/card.tsx'
import { CodeTabs } from '../../../ui/data/code.tsx'
import { StatusIcon } from '../../../ui/data/status.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { Drawer, DrawerSection } from '../../../ui/overlays/drawer.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { writeCalls } from '../call.ts'
import { toDraft } from '../editor/draft.ts'
import { TemplatePreview } from '../preview.tsx'
import { RejectionNotice } from '../rejection-notice.tsx'
import type { TemplateGroup } from '../template.ts'
import { toLook } from '../template-look.ts'
import { useTemplateTexts } from '../templates-texts.ts'

/** Meta takes an edit of a template in these states, and reviews it again. */
const EDITABLE = ['APPROVED', 'REJECTED', 'PAUSED']

type TemplateDrawerProps = { channel: Channel; group: TemplateGroup; onClose: () => void }

/** A template in each of its languages. One language and all of them are deleted by different buttons. */
export function TemplateDrawer({ channel, group, onClose }: TemplateDrawerProps) {
  const t = useTemplateTexts()
  const refusal = useRefusal('templates:write')
  const [language, setLanguage] = useState(group.languages[0]?.language ?? '')
  const [deleting, setDeleting] = useState<'one' | 'all'>()
  const shown = group.languages.find((template) => template.language === language) ?? group.languages[0]
  if (shown === undefined) return null
  return (
    <Drawer
      label={group.name}
      onClose={onClose}
      header={
        <>
          <h2 className="font-mono text-section font-semibold break-all text-text">{group.name}</h2>
          <Id id={shown.id} />
        </>
      }
      footer={
        <>
          {shown.status === 'APPROVED' && (
            <ButtonLink
              size="bar"
              icon="send"
              to="/channels/$channelId"
              params={{ channelId: channel.id }}
              search={{ tab: 'test', template: shown.id }}
            >
              {t('sendTest')}
            </ButtonLink>
          )}
          <Button kind="danger" size="bar" icon="trash" reason={refusal} onClick={() => setDeleting('one')}>
            {t('delete', { language: shown.language })}
          </Button>
          {group.languages.length > 1 && refusal === undefined && (
            <Button kind="danger" size="bar" icon="trash" onClick={() => setDeleting('all')}>
              {t('deleteAll')}
            </Button>
          )}
        </>
      }
    >
      <DrawerSection
        title={t('languages')}
        aside={
          group.languages.length > 1 && (
            <Segmented
              label={t('languages')}
              value={shown.language}
              options={group.languages.map((template) => ({ value: template.language, label: template.language }))}
              onChange={setLanguage}
            />
          )
        }
      >
        <Facts
          facts={[
            [
              t('status'),
              <span key="status" className="inline-flex items-center gap-1.5">
                <StatusIcon status={toLook(shown.status)} />
                {shown.status}
              </span>,
            ],
            [t('category'), shown.category],
            [t('quality'), shown.quality ?? '–'],
          ]}
        />
        {EDITABLE.includes(shown.status) && (
          <div className="mt-3 flex flex-col items-start gap-3">
            <RejectionNotice reason={shown.reason} />
            {toDraft(shown) === undefined ? (
              <p className="text-meta text-text-3">{t('notEditable')}</p>
            ) : (
              <ButtonLink size="bar" icon="replay" to="/templates/new" search={{ channel: channel.id, edit: shown.id }}>
                {t('edit')}
              </ButtonLink>
            )}
          </div>
        )}
      </DrawerSection>
      <DrawerSection title={t('preview')} aside={<span className="text-meta text-text-3">{t('previewNote')}</span>}>
        <div className="mx-auto flex max-w-80 flex-col">
          <TemplatePreview businessName={channel.verified_name ?? channel.name} components={shown.components} />
        </div>
      </DrawerSection>
      <DrawerSection title={t('call')}>
        <CodeTabs key={shown.id} label={t('call')} samples={writeCalls(channel.id, shown)} />
      </DrawerSection>
      {deleting && (
        <DeleteDialog
          channelId={channel.id}
          name={group.name}
          one={deleting === 'one' ? shown : undefined}
          onClose={() => setDeleting(undefined)}
          onDeleted={onClose}
        />
      )}
    </Drawer>
  )
}

type DeleteDialogProps = {
  channelId: string
  name: string
  one: { id: string; language: string } | undefined
  onClose: () => void
  onDeleted: () => void
}

function DeleteDialog({ channelId, name, one, onClose, onDeleted }: DeleteDialogProps) {
  const t = useTemplateTexts()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => hub.console.deleteTemplates(channelId, name, one ? { hsm_id: one.id } : {}),
    async onSuccess() {
      showToast(t('deleted'))
      await client.invalidateQueries({ queryKey: ['templates', channelId] })
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      title={one ? t('deleteTitle', { name, language: one.language }) : t('deleteAllTitle', { name })}
      action={t('deleteAction')}
      name={name}
      isBusy={remove.isPending}
      error={remove.error && <FailureNotice error={remove.error} />}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('deleteText')}</p>
    </ConfirmDialog>
  )
}
