import type { Channel } from '@hubline/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { channelsQuery } from '../../../api/channels.ts'
import { hub } from '../../../api/hub.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { useApiExample } from '../../../lib/api-example.ts'
import { Button, ButtonLink } from '../../../ui/controls/button.tsx'
import { SelectField, TextField } from '../../../ui/controls/field.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Page, PageHeader } from '../../../ui/data/card.tsx'
import { EmptyState, ErrorState, FailureNotice, Skeleton } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { listTemplateLanguages } from '../languages.ts'
import { TemplatePreview } from '../preview.tsx'
import { RejectionNotice } from '../rejection-notice.tsx'
import type { StoredTemplate } from '../template.ts'
import { templatesQuery } from '../templates-query.ts'
import { useTemplateTexts } from '../templates-texts.ts'
import { AuthenticationEditor } from './authentication-editor.tsx'
import { BodyEditor } from './body-editor.tsx'
import { ButtonsEditor } from './buttons-editor.tsx'
import { CATEGORIES, EMPTY_DRAFT, LENGTHS, toComponents, toDraft, toTemplate } from './draft.ts'
import { useDraft } from './drafts.ts'
import { EditorSection } from './editor-section.tsx'
import { useEditorTexts } from './editor-texts.ts'
import { HeaderEditor } from './header-editor.tsx'
import { RuleList } from './rule-list.tsx'
import { checkDraft } from './rules.ts'

const route = getRouteApi('/shell/templates/new')

export function TemplateEditorPage() {
  const t = useTemplateTexts()
  const { channel: id, edit } = route.useSearch()
  const channels = useQuery(channelsQuery)
  const channel = channels.data?.find((one) => one.id === id && one.waba_id !== null)
  if (channels.isPending) return <Skeleton />
  if (channels.isLoadingError) {
    return <ErrorState title={t('failed')} error={channels.error} onRetry={() => void channels.refetch()} />
  }
  if (channel === undefined) {
    return (
      <Page>
        <EmptyState title={t('noChannel')} actions={<ButtonLink to="/templates">{t('title')}</ButtonLink>}>
          {t('noChannelText')}
        </EmptyState>
      </Page>
    )
  }
  if (edit !== undefined) return <EditedTemplate key={edit} channel={channel} id={edit} />
  return <TemplateEditor channel={channel} edited={undefined} />
}

/** The form with a template that exists, in one language. */
function EditedTemplate({ channel, id }: { channel: Channel; id: string }) {
  const t = useTemplateTexts()
  const templates = useQuery(templatesQuery(channel.id))
  if (templates.isPending) return <Skeleton />
  if (templates.isLoadingError) {
    return <ErrorState title={t('failed')} error={templates.error} onRetry={() => void templates.refetch()} />
  }
  const edited = templates.data.find((one) => one.id === id)
  if (edited === undefined || toDraft(edited) === undefined) {
    const back = <ButtonLink to="/templates">{t('title')}</ButtonLink>
    return (
      <Page>
        <EmptyState title={edited === undefined ? t('noMatch') : t('notEditable')} actions={back} />
      </Page>
    )
  }
  return <TemplateEditor channel={channel} edited={edited} />
}

/** Edit left, phone right, the rules below the phone. */
function TemplateEditor({ channel, edited }: { channel: Channel; edited: StoredTemplate | undefined }) {
  const t = useEditorTexts()
  const navigate = useNavigate()
  const client = useQueryClient()
  const refusal = useRefusal('templates:write')
  const initial = (edited && toDraft(edited)) ?? EMPTY_DRAFT
  const { draft, isKept, change, discard } = useDraft(`${channel.id}:${edited?.id ?? ''}`, initial)
  const [isSampled, setSampled] = useState(true)
  const rules = checkDraft(draft)
  const isReady = Object.values(rules).every(Boolean)
  const submit = useMutation({
    async mutationFn() {
      if (edited === undefined) return void (await hub.templates.create(channel.id, toTemplate(draft)))
      const components = toComponents(draft)
      // Meta keeps the category of an approved template.
      const changes = edited.status === 'APPROVED' ? { components } : { category: draft.category, components }
      await hub.console.editTemplate(channel.id, edited.name, { hsm_id: edited.id, ...changes })
    },
    async onSuccess() {
      discard()
      showToast(t('submitted'))
      await client.invalidateQueries({ queryKey: ['templates', channel.id] })
      await navigate({ to: '/templates', search: { channel: channel.id, open: draft.name } })
    },
  })
  useApiExample({
    method: 'POST',
    path: `/api/v1/channels/${channel.id}/templates`,
    body: toTemplate(draft),
    sdk: `await hub.templates.create('${channel.id}', ${JSON.stringify(toTemplate(draft), null, 2)})`,
  })

  return (
    <div className="flex min-h-full max-desktop:flex-col">
      <div className="flex min-w-0 flex-1 flex-col gap-5 p-8 max-tablet:p-4">
        <PageHeader
          title={draft.name === '' ? t('title') : <code className="font-mono">{draft.name}</code>}
          aside={
            <>
              {isKept && !submit.isPending && (
                <Button kind="quiet" onClick={discard}>
                  {t('startOver')}
                </Button>
              )}
              <Button
                kind="primary"
                icon="send"
                reason={refusal ?? (isReady ? undefined : t('unmet'))}
                isBusy={submit.isPending}
                onClick={() => submit.mutate()}
              >
                {edited === undefined ? t('submit') : t('resubmit')}
              </Button>
            </>
          }
        >
          {t('for', { name: channel.name })}
        </PageHeader>
        {submit.error && <FailureNotice error={submit.error} />}
        {edited && <RejectionNotice reason={edited.reason} />}
        <div className="flex flex-wrap items-start gap-4">
          <TextField
            className="min-w-60 flex-1"
            label={t('name')}
            hint={t('nameHint')}
            value={draft.name}
            disabled={edited !== undefined}
            autoFocus={edited === undefined}
            maxLength={512}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change({ name: event.target.value.toLowerCase().replaceAll(' ', '_') })}
          />
          <SelectField
            label={t('language')}
            value={draft.language}
            disabled={edited !== undefined}
            onChange={(event) => change({ language: event.target.value })}
          >
            {listTemplateLanguages(draft.language).map(({ code, name }) => (
              <option key={code} value={code}>
                {`${name} · ${code}`}
              </option>
            ))}
          </SelectField>
          <div className="flex flex-col gap-1">
            <span className="font-medium text-text">{t('category')}</span>
            <Segmented
              label={t('category')}
              value={draft.category}
              options={CATEGORIES.map((value) => ({ value, label: value }))}
              onChange={(category) => change({ category })}
            />
          </div>
        </div>
        {draft.category === 'AUTHENTICATION' ? (
          <AuthenticationEditor otp={draft.otp} onChange={(otp) => change({ otp })} />
        ) : (
          <>
            <HeaderEditor channelId={channel.id} header={draft.header} onChange={(header) => change({ header })} />
            <BodyEditor body={draft.body} samples={draft.samples} onChange={change} />
            <EditorSection title={t('footer')} below={`${draft.footer.length} / ${LENGTHS.footer}`}>
              <TextField
                label={t('footerLabel')}
                hint={t('optional')}
                value={draft.footer}
                maxLength={LENGTHS.footer}
                onChange={(event) => change({ footer: event.target.value })}
              />
            </EditorSection>
            <ButtonsEditor buttons={draft.buttons} onChange={(buttons) => change({ buttons })} />
          </>
        )}
      </div>
      <aside className="flex w-[400px] shrink-0 flex-col gap-5 border-l border-line bg-bg p-6 max-desktop:w-full max-desktop:border-t max-desktop:border-l-0">
        <div className="flex items-center justify-between">
          <h2 className="text-section font-semibold text-text">{t('preview')}</h2>
          <Segmented
            label={t('preview')}
            value={isSampled ? 'samples' : 'variables'}
            options={[
              { value: 'samples', label: t('showSamples') },
              { value: 'variables', label: '{{ }}' },
            ]}
            onChange={(value) => setSampled(value === 'samples')}
          />
        </div>
        <div className="mx-auto flex w-full max-w-80 flex-col">
          <TemplatePreview
            businessName={channel.verified_name ?? channel.name}
            components={toComponents(draft)}
            samples={isSampled ? draft.samples : {}}
            mediaUrl={draft.header.file?.url}
          />
        </div>
        <RuleList rules={rules} />
      </aside>
    </div>
  )
}
