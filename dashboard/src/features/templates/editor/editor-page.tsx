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
import { PageHeader } from '../../../ui/data/card.tsx'
import { EmptyState, ErrorState, FailureNotice, Skeleton } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { TemplatePreview } from '../preview.tsx'
import { useTemplateTexts } from '../templates-texts.ts'
import { BodyEditor } from './body-editor.tsx'
import { ButtonsEditor } from './buttons-editor.tsx'
import { CATEGORIES, type Draft, EMPTY_DRAFT, LENGTHS, toComponents, toTemplate } from './draft.ts'
import { EditorSection } from './editor-section.tsx'
import { useEditorTexts } from './editor-texts.ts'
import { HeaderEditor } from './header-editor.tsx'
import { RuleList } from './rule-list.tsx'
import { checkDraft } from './rules.ts'

const route = getRouteApi('/shell/templates/new')
const LANGUAGES = ['pt_BR', 'en_US', 'en_GB', 'es', 'es_MX', 'es_AR', 'pt_PT', 'fr', 'de', 'it']

export function TemplateEditorPage() {
  const t = useTemplateTexts()
  const { channel: id } = route.useSearch()
  const channels = useQuery(channelsQuery)
  const channel = channels.data?.find((one) => one.id === id && one.waba_id !== null)
  if (channels.isPending) return <Skeleton />
  if (channels.isLoadingError) {
    return <ErrorState title={t('failed')} error={channels.error} onRetry={() => void channels.refetch()} />
  }
  if (channel === undefined) {
    return (
      <EmptyState title={t('noChannel')} actions={<ButtonLink to="/templates">{t('title')}</ButtonLink>}>
        {t('noChannelText')}
      </EmptyState>
    )
  }
  return <TemplateEditor channel={channel} />
}

/** Edit left, phone right, the rules below the phone. */
function TemplateEditor({ channel }: { channel: Channel }) {
  const t = useEditorTexts()
  const navigate = useNavigate()
  const client = useQueryClient()
  const refusal = useRefusal('templates:write')
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT)
  const [isSampled, setSampled] = useState(true)
  const rules = checkDraft(draft)
  const isReady = Object.values(rules).every(Boolean)
  const submit = useMutation({
    mutationFn: () => hub.templates.create(channel.id, toTemplate(draft)),
    async onSuccess() {
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

  /** A file may be uploaded while the text is written. */
  function change(part: Partial<Draft>): void {
    setDraft((latest) => ({ ...latest, ...part }))
  }
  return (
    <div className="flex min-h-full max-desktop:flex-col">
      <div className="flex min-w-0 flex-1 flex-col gap-5 p-8 max-tablet:p-4">
        <PageHeader
          title={draft.name === '' ? t('title') : <code className="font-mono">{draft.name}</code>}
          aside={
            <Button
              kind="primary"
              icon="send"
              reason={refusal ?? (isReady ? undefined : t('unmet'))}
              isBusy={submit.isPending}
              onClick={() => submit.mutate()}
            >
              {t('submit')}
            </Button>
          }
        >
          {t('for', { name: channel.name })}
        </PageHeader>
        {submit.error && <FailureNotice error={submit.error} />}
        <div className="flex flex-wrap items-start gap-4">
          <TextField
            className="min-w-60 flex-1"
            label={t('name')}
            hint={t('nameHint')}
            value={draft.name}
            maxLength={512}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change({ name: event.target.value.toLowerCase().replaceAll(' ', '_') })}
          />
          <SelectField
            label={t('language')}
            value={draft.language}
            onChange={(event) => change({ language: event.target.value })}
          >
            {LANGUAGES.map((language) => (
              <option key={language}>{language}</option>
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
            <span className="max-w-60 text-meta text-text-3">{t('categoryHint')}</span>
          </div>
        </div>
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
