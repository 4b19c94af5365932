import type { Channel } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { hub } from '../../../../api/hub.ts'
import { isSendable, type KnownTemplate, listFields, type TemplateField } from '../../../../api/template-fields.ts'
import { SelectField, TextField } from '../../../../ui/controls/field.tsx'
import { ErrorState, Skeleton } from '../../../../ui/states/list-states.tsx'
import { Notice } from '../../../../ui/states/notice.tsx'
import type { Draft } from './draft.ts'
import { useTestTexts } from './test-texts.ts'

type TemplateFormProps = {
  channel: Channel
  /** The template that the address names. */
  chosenId: string | undefined
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
}

export function TemplateForm({ channel, chosenId, draft, onChange }: TemplateFormProps) {
  const t = useTestTexts()
  const label = useFieldLabel()
  const templates = useQuery({
    queryKey: ['templates', channel.id, 'sendable'],
    queryFn: async (): Promise<KnownTemplate[]> =>
      (await hub.templates.list(channel.id, { limit: 100 }).toArray()).filter(isSendable),
    enabled: channel.phone_number_id !== null,
  })
  const chosen = templates.data?.find(({ id }) => id === chosenId)
  const choose = useEffectEvent((template: KnownTemplate) => {
    if (draft.template === undefined) onChange({ template, values: {} })
  })
  // Only when the list arrives: a person may then choose none.
  useEffect(() => {
    if (chosen !== undefined) choose(chosen)
  }, [chosen])
  if (channel.phone_number_id === null) return null
  if (templates.isPending) return <Skeleton rows={2} />
  if (templates.isError) {
    return <ErrorState title={t('templatesFailed')} error={templates.error} onRetry={() => void templates.refetch()} />
  }
  if (templates.data.length === 0) return <Notice tone="info" title={t('noTemplates')} />
  return (
    <>
      <SelectField
        className="w-full"
        label={t('template')}
        required
        value={draft.template?.id ?? ''}
        onChange={({ target }) =>
          onChange({ template: templates.data.find(({ id }) => id === target.value), values: {} })
        }
      >
        <option value="">{t('chooseTemplate')}</option>
        {templates.data.map(({ id, name, language }) => (
          <option key={id} value={id}>
            {name} · {language}
          </option>
        ))}
      </SelectField>
      {draft.template &&
        listFields(draft.template).map((field) => (
          <TextField
            key={field.id}
            className="w-full"
            label={label(field)}
            required
            autoComplete="off"
            {...(isMedia(field) && { type: 'url', placeholder: 'https://' })}
            value={draft.values[field.id] ?? ''}
            onChange={({ target }) => onChange({ values: { ...draft.values, [field.id]: target.value } })}
          />
        ))}
    </>
  )
}

function isMedia({ kind }: TemplateField): boolean {
  return kind === 'image' || kind === 'video' || kind === 'document'
}

function useFieldLabel(): (field: TemplateField) => string {
  const t = useTestTexts()
  return (field) => {
    const { place, kind, name } = field
    if (kind === 'url') return t('button', { number: Number(name) + 1 })
    if (kind === 'copy_code') return t('coupon', { number: Number(name) + 1 })
    if (place === 'button' || isMedia(field)) return `${t('place.header')} · ${t('mediaLink')}`
    return `${t(`place.${place}`)} {{${name}}}`
  }
}
