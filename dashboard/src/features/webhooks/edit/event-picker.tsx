import { useState } from 'react'
import { useEventTexts } from '../../../api/event-texts.ts'
import { EVENT_GROUPS, EVENT_KINDS, type EventKind, findSample, isInMode } from '../../../api/events.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CheckField, TextField } from '../../../ui/controls/field.tsx'
import { JsonBlock } from '../../../ui/data/code.tsx'
import { useEditTexts } from './edit-texts.ts'
import type { EndpointForm } from './endpoint-form.ts'

type EventPickerProps = { form: EndpointForm; onChange: (next: Partial<EndpointForm>) => void }

/** Every kind, or a choice of them, each with what it looks like. */
export function EventPicker({ form, onChange }: EventPickerProps) {
  const t = useEditTexts()
  const e = useEventTexts()
  const [typed, setTyped] = useState('')
  const [sample, setSample] = useState<EventKind>()
  const wanted = typed.trim().toLowerCase()
  const found = EVENT_KINDS.filter((kind) => `${kind} ${e(`event.${kind}`)}`.toLowerCase().includes(wanted))

  function toggle(kind: EventKind, isChosen: boolean): void {
    onChange({ kinds: isChosen ? [...form.kinds, kind] : form.kinds.filter((one) => one !== kind) })
  }
  return (
    <>
      <CheckField
        label={t('everyKind')}
        hint={
          form.isEveryKind
            ? undefined
            : form.kinds.length === 0
              ? t('chooseOne')
              : t('chosen', { count: form.kinds.length })
        }
        checked={form.isEveryKind}
        onChange={({ target }) => onChange({ isEveryKind: target.checked })}
      />
      <TextField label={t('search')} type="search" value={typed} onChange={(event) => setTyped(event.target.value)} />
      <div className="flex flex-col gap-3">
        {found.length === 0 && <p>{t('noEvent')}</p>}
        {EVENT_GROUPS.map(({ name, has }) => (
          <KindGroup
            key={name}
            title={e(`group.${name}`)}
            kinds={found.filter(has)}
            form={form}
            sample={sample}
            onToggle={toggle}
            onSample={setSample}
          />
        ))}
      </div>
    </>
  )
}

type KindGroupProps = {
  title: string
  kinds: readonly EventKind[]
  form: EndpointForm
  /** The kind whose sample is open. */
  sample: EventKind | undefined
  onToggle: (kind: EventKind, isChosen: boolean) => void
  onSample: (kind: EventKind | undefined) => void
}

function KindGroup({ title, kinds, form, sample, onToggle, onSample }: KindGroupProps) {
  const t = useEditTexts()
  const e = useEventTexts()
  if (kinds.length === 0) return null
  return (
    <fieldset>
      <legend className="text-meta font-medium text-text-3">{title}</legend>
      {kinds.map((kind) => (
        <div key={kind} className="border-b border-line py-1">
          <div className="flex items-center justify-between gap-3">
            <CheckField
              label={<code className="font-mono text-meta">{kind}</code>}
              hint={isInMode(kind, form.payloadMode) ? e(`event.${kind}`) : t('notInMode')}
              disabled={form.isEveryKind}
              checked={form.isEveryKind ? isInMode(kind, form.payloadMode) : form.kinds.includes(kind)}
              onChange={({ target }) => onToggle(kind, target.checked)}
            />
            <Button
              kind="quiet"
              size="bar"
              aria-label={e('sampleOf', { kind })}
              aria-expanded={kind === sample}
              onClick={() => onSample(kind === sample ? undefined : kind)}
            >
              {t('sample')}
            </Button>
          </div>
          {kind === sample && <Sample kind={kind} form={form} />}
        </div>
      ))}
    </fieldset>
  )
}

/** The body of a kind as this endpoint would get it; of a kind that its mode leaves out, as another one would. */
function Sample({ kind, form }: { kind: EventKind; form: EndpointForm }) {
  const e = useEventTexts()
  return (
    <div className="flex flex-col gap-2 py-2">
      {kind === 'upstream.raw' && <p>{e('rawSample')}</p>}
      <JsonBlock value={findSample(kind, form.deliveryFormat)} label={e('sampleOf', { kind })} />
    </div>
  )
}
