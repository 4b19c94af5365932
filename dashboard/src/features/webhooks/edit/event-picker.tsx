import { useState } from 'react'
import { EVENT_EXAMPLES } from '../../../api/generated/events.gen.ts'
import { EVENT_KINDS, type EventKind } from '../../../api/webhooks.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CheckField, TextField } from '../../../ui/controls/field.tsx'
import { JsonBlock } from '../../../ui/data/code.tsx'
import { useEditTexts } from './edit-texts.ts'
import { type EndpointForm, isInMode } from './endpoint-form.ts'

const GROUPS = {
  message: (kind: EventKind) => kind.startsWith('message.'),
  channel: (kind: EventKind) => kind.startsWith('channel.'),
  other: (kind: EventKind) => /^(?:template|phone|account)\./.test(kind),
  raw: (kind: EventKind) => /^(?:upstream|webhook)\./.test(kind),
} as const
type Group = keyof typeof GROUPS

type EventPickerProps = { form: EndpointForm; onChange: (next: Partial<EndpointForm>) => void }

/** Every kind, or a choice of them, each with what it looks like. */
export function EventPicker({ form, onChange }: EventPickerProps) {
  const t = useEditTexts()
  const [typed, setTyped] = useState('')
  const [sample, setSample] = useState<EventKind>()
  const wanted = typed.trim().toLowerCase()
  const found = EVENT_KINDS.filter((kind) => `${kind} ${t(`event.${kind}`)}`.toLowerCase().includes(wanted))

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
        {(Object.keys(GROUPS) as Group[]).map((group) => (
          <KindGroup
            key={group}
            title={t(`group.${group}`)}
            kinds={found.filter(GROUPS[group])}
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
  if (kinds.length === 0) return null
  return (
    <fieldset>
      <legend className="text-meta font-medium text-text-3">{title}</legend>
      {kinds.map((kind) => (
        <div key={kind} className="border-b border-line py-1">
          <div className="flex items-center justify-between gap-3">
            <CheckField
              label={<code className="font-mono text-meta">{kind}</code>}
              hint={isInMode(kind, form.payloadMode) ? t(`event.${kind}`) : t('notInMode')}
              disabled={form.isEveryKind}
              checked={form.isEveryKind ? isInMode(kind, form.payloadMode) : form.kinds.includes(kind)}
              onChange={({ target }) => onToggle(kind, target.checked)}
            />
            <Button
              kind="quiet"
              size="bar"
              aria-label={t('sampleOf', { kind })}
              aria-expanded={kind === sample}
              onClick={() => onSample(kind === sample ? undefined : kind)}
            >
              {t('sample')}
            </Button>
          </div>
          {kind === sample && <Sample kind={kind} />}
        </div>
      ))}
    </fieldset>
  )
}

function Sample({ kind }: { kind: EventKind }) {
  const t = useEditTexts()
  const example = EVENT_EXAMPLES[kind]
  const isRaw = Object.keys(example).length === 0
  return (
    <div className="py-2">
      {isRaw ? <p>{t('rawSample')}</p> : <JsonBlock value={example} label={t('sampleOf', { kind })} />}
    </div>
  )
}
