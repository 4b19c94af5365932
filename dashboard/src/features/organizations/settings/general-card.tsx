import { LANGUAGE_NAMES } from '@hubline/locales/languages.ts'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { SelectField, TextField } from '../../../ui/controls/field.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { useFieldError } from '../../../ui/states/error-text.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { type OrganizationSettings, useSettingsUpdate } from './settings-query.ts'
import { useSettingsTexts } from './settings-texts.ts'

type General = Pick<OrganizationSettings, 'name' | 'language' | 'time_zone'>

/** Keeps the unsaved input, and compares it with what the hub has now. */
export function GeneralCard({ settings }: { settings: OrganizationSettings }) {
  const t = useSettingsTexts()
  const refusal = useRoleRefusal('admin')
  const [typed, setTyped] = useState<Partial<General>>({})
  const changes = listChanges(settings, typed)
  const isDirty = Object.keys(changes).length > 0
  const save = useSettingsUpdate(() => {
    setTyped({})
    showToast(t('saved'))
  })
  const fieldError = useFieldError(save.error)
  const form = { ...settings, ...typed }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isDirty) save.mutate(changes)
  }
  const isDisabled = refusal !== undefined
  return (
    <Card title={t('general')}>
      <form onSubmit={submit} className="flex max-w-160 flex-col items-start gap-4">
        <TextField
          className="w-full"
          label={t('name')}
          error={fieldError('name')}
          required
          maxLength={100}
          pattern=".*\S.*"
          autoComplete="organization"
          disabled={isDisabled}
          value={form.name}
          onChange={(event) => setTyped({ ...typed, name: event.target.value })}
        />
        <SelectField
          className="w-full"
          label={t('language')}
          hint={t('languageHint')}
          disabled={isDisabled}
          value={form.language}
          onChange={(event) => setTyped({ ...typed, language: event.target.value as General['language'] })}
        >
          {Object.entries(LANGUAGE_NAMES).map(([language, name]) => (
            <option key={language} value={language}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          className="w-full"
          label={t('timeZone')}
          hint={t('timeZoneHint')}
          disabled={isDisabled}
          value={form.time_zone}
          onChange={(event) => setTyped({ ...typed, time_zone: event.target.value })}
        >
          {listTimeZones(settings.time_zone).map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
        {save.error && fieldError('name') === undefined && <FailureNotice error={save.error} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" kind="primary" isBusy={save.isPending} disabled={!isDirty} reason={refusal}>
            {t('save')}
          </Button>
          {isDirty && !save.isPending && (
            <>
              <Button kind="quiet" onClick={() => setTyped({})}>
                {t('discard')}
              </Button>
              <span role="status" className="text-meta text-warn">
                {t('unsaved')}
              </span>
            </>
          )}
        </div>
      </form>
      <LeaveDialog isDirty={isDirty} />
    </Card>
  )
}

function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const t = useSettingsTexts()
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog title={t('leaveTitle')} action={t('leave')} onConfirm={blocker.proceed} onClose={blocker.reset}>
      <p>{t('leaveText')}</p>
    </ConfirmDialog>
  )
}

function listChanges(settings: General, typed: Partial<General>): Partial<General> {
  const names = Object.keys(typed) as (keyof General)[]
  return Object.fromEntries(names.filter((name) => typed[name] !== settings[name]).map((name) => [name, typed[name]]))
}

/** The time zones of the browser, with UTC, which is not among them, and the one that is set. */
function listTimeZones(current: string): string[] {
  return [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
}
