import type { Template } from '@hubline/sdk/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { EmptyState, FailureNotice, Skeleton } from '../../../ui/states/list-states.tsx'
import { sandboxKey } from '../queries.ts'
import { useSandboxTexts } from '../sandbox-texts.ts'
import { chipClasses } from './fault-chip.tsx'

export function TemplateReviews({ channelId, disabled }: { channelId: string; disabled: boolean }) {
  const t = useSandboxTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" disabled={disabled} onClick={() => setOpen(true)} className={chipClasses(false)}>
        <Icon name="template" size={12} />
        {t('reviewTemplates')}
      </button>
      {isOpen && <ReviewDialog channelId={channelId} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Decides on templates as the upstream does. */
function ReviewDialog({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const t = useSandboxTexts()
  const client = useQueryClient()
  const queryKey = [...sandboxKey(channelId), 'templates']
  const templates = useQuery({ queryKey, queryFn: () => hub.templates.list(channelId).toArray() })
  const review = useMutation({
    mutationFn: ({ id, result }: { id: string; result: 'APPROVED' | 'REJECTED' }) =>
      hub.console.reviewSandboxTemplate(channelId, id, { result }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <Dialog title={t('reviewTemplates')} description={t('reviewText')} onClose={onClose}>
      {templates.error ? (
        <FailureNotice error={templates.error} />
      ) : !templates.data ? (
        <Skeleton rows={3} />
      ) : templates.data.length === 0 ? (
        <EmptyState title={t('noTemplates')}>{t('noTemplatesText')}</EmptyState>
      ) : (
        <ul>
          {templates.data.map((template) => (
            <TemplateItem
              key={template.id}
              template={template}
              isBusy={review.isPending}
              onReview={(result) => review.mutate({ id: template.id, result })}
            />
          ))}
        </ul>
      )}
      {review.error && <FailureNotice error={review.error} />}
    </Dialog>
  )
}

type TemplateItemProps = {
  template: Template
  isBusy: boolean
  onReview: (result: 'APPROVED' | 'REJECTED') => void
}

function TemplateItem({ template, isBusy, onReview }: TemplateItemProps) {
  const t = useSandboxTexts()
  const { name, status, language } = template
  return (
    <li className="flex flex-wrap items-center gap-2 border-b border-line py-2 last:border-b-0">
      <span className="min-w-0 flex-1">
        <code className="block truncate font-mono text-text">{name}</code>
        <span className="text-meta text-text-3">{String(language ?? '')}</span>
      </span>
      <Badge tone={status === 'REJECTED' ? 'danger' : 'neutral'} isCode>
        {status}
      </Badge>
      <Button size="bar" disabled={isBusy || status === 'APPROVED'} onClick={() => onReview('APPROVED')}>
        {t('approve')}
      </Button>
      <Button size="bar" kind="danger" disabled={isBusy || status === 'REJECTED'} onClick={() => onReview('REJECTED')}>
        {t('reject')}
      </Button>
    </li>
  )
}
