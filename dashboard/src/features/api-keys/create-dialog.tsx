import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { hub } from '../../api/hub.ts'
import { formatDay } from '../../lib/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Choice } from '../../ui/controls/choice.tsx'
import { SelectField, TextField } from '../../ui/controls/field.tsx'
import { Badge } from '../../ui/data/badge.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Panes } from '../../ui/overlays/panes.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import { useApiKeysTexts } from './api-keys-texts.ts'
import { OpenedRoutes } from './opened-routes.tsx'
import { ScopeMatrix } from './scope-matrix.tsx'
import { findPreset, type KeyScope, listPreset, PRESETS } from './scopes.ts'

const DAY_MS = 86_400_000
const LIVES = ['7', '30', '90', '365', 'never'] as const

export type CreatedKey = { name: string; secret: string }
type CreateDialogProps = { granted: readonly KeyScope[]; onCreated: (key: CreatedKey) => void; onClose: () => void }

/** A name, a preset that fills the matrix, and what the key will open. */
export function CreateDialog({ granted, onCreated, onClose }: CreateDialogProps) {
  const t = useApiKeysTexts()
  const u = useUiTexts()
  const formId = useId()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly KeyScope[]>(listPreset('send', granted))
  const [life, setLife] = useState<(typeof LIVES)[number]>('90')
  const create = useMutation({
    mutationFn: () => {
      const scopes = granted.filter((scope) => chosen.includes(scope))
      return hub.apiKeys.create({ name: name.trim(), scopes, expires_at: toExpiry(life)?.toISOString() ?? null })
    },
    async onSuccess({ api_key, secret }) {
      onCreated({ name: api_key.name, secret })
      await client.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (chosen.length > 0) create.mutate()
  }
  return (
    <Dialog
      isWide
      isFlush
      title={t('createTitle')}
      description={t('createText')}
      onClose={onClose}
      footer={
        <>
          <span className="mr-auto flex min-w-0 flex-wrap gap-1">
            {granted
              .filter((scope) => chosen.includes(scope))
              .map((scope) => (
                <Badge key={scope} isCode>
                  {scope}
                </Badge>
              ))}
          </span>
          <Button onClick={onClose}>{u('cancel')}</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={create.isPending} disabled={chosen.length === 0}>
            {t('create')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="min-h-full">
        <Panes
          left={
            <>
              <TextField
                label={t('name')}
                required
                maxLength={100}
                autoComplete="off"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
              <Choice
                label={t('start')}
                name="preset"
                value={findPreset(chosen, granted)}
                options={PRESETS.map((preset) => ({
                  value: preset,
                  title: t(`preset.${preset}`),
                  text: t(`preset.${preset}.text`),
                  aside: preset === 'custom' ? undefined : listPreset(preset, granted).length,
                }))}
                onChange={(preset) => setChosen(preset === 'custom' ? [] : listPreset(preset, granted))}
              />
              <SelectField
                label={t('expires')}
                value={life}
                onChange={({ target }) => setLife(target.value as typeof life)}
              >
                {LIVES.map((one) => (
                  <option key={one} value={one}>
                    {describeLife(one, t)}
                  </option>
                ))}
              </SelectField>
              <Notice tone="info" title={t('channelToken')}>
                {t('channelTokenText')}
              </Notice>
              {create.error && <FailureNotice error={create.error} />}
            </>
          }
          right={
            <>
              <ScopeMatrix chosen={chosen} granted={granted} onChange={setChosen} />
              <OpenedRoutes chosen={chosen} />
            </>
          }
        />
      </form>
    </Dialog>
  )
}

function toExpiry(life: (typeof LIVES)[number]): Date | undefined {
  return life === 'never' ? undefined : new Date(Date.now() + Number(life) * DAY_MS)
}

function describeLife(life: (typeof LIVES)[number], t: ReturnType<typeof useApiKeysTexts>): string {
  const expiry = toExpiry(life)
  return expiry ? `${formatDay(expiry)} · ${t('expiresIn', { count: Number(life) })}` : t('never')
}
