import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { useSession } from '../../../api/session.ts'
import { settingsQuery } from '../../../api/settings.ts'
import { cx } from '../../../lib/cx.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { initials } from '../../../ui/data/initials.ts'
import { Icon } from '../../../ui/icon.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { type OrganizationSettings, useSettingsUpdate } from './settings-query.ts'
import { useSettingsTexts } from './settings-texts.ts'

const LOGO_TYPES = 'image/png,image/jpeg,image/webp'
const HUB_COLOR = '#0b6b4f'
const CONTRAST_MIN = 4.5

/** The look of the page that customers open. Who asks and on which host the page is always shows there. */
export function BrandCard({ settings }: { settings: OrganizationSettings }) {
  const t = useSettingsTexts()
  return (
    <Card title={t('brand')}>
      <div className="flex flex-col gap-5">
        <p>{t('brandText')}</p>
        <div className="grid grid-cols-2 items-start gap-6 max-desktop:grid-cols-1">
          <LogoSetting settings={settings} />
          <ColorSetting settings={settings} />
        </div>
      </div>
    </Card>
  )
}

function LogoSetting({ settings: { name, logo } }: { settings: OrganizationSettings }) {
  const t = useSettingsTexts()
  const id = useId()
  const { organization } = useSession()
  const client = useQueryClient()
  const refusal = useRoleRefusal('admin')
  const change = useMutation({
    mutationFn: async (file: File | null) =>
      file === null
        ? await hub.console.deleteLogo(organization.id)
        : await hub.console.updateLogo(organization.id, { content: await readBase64(file) }),
    onSuccess({ settings }) {
      client.setQueryData(settingsQuery(organization.id).queryKey, settings)
      showToast(t('saved'))
    },
  })
  return (
    <section className="flex flex-col items-start gap-3">
      <h3 className="font-medium text-text">{t('logo')}</h3>
      <div className="flex flex-wrap items-center gap-4">
        {logo === null ? (
          <span
            aria-hidden
            className="flex size-12 items-center justify-center rounded-card bg-text font-semibold text-surface"
          >
            {initials(name)}
          </span>
        ) : (
          <img src={logo.url} alt={t('logoOf', { name })} className="h-12 max-w-36 rounded-card object-contain" />
        )}
        {refusal === undefined ? (
          <>
            <label
              htmlFor={id}
              className="inline-flex h-8 items-center gap-1.5 rounded-control border border-line-2 px-3 font-medium text-text shadow-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-hover max-tablet:min-h-11"
            >
              <Icon
                name={change.isPending ? 'arc' : 'upload'}
                size={14}
                className={change.isPending ? 'turning' : ''}
              />
              {logo === null ? t('chooseLogo') : t('replaceLogo')}
              <input
                id={id}
                type="file"
                className="sr-only"
                accept={LOGO_TYPES}
                onChange={(event) => {
                  const [file] = event.target.files ?? []
                  if (file) change.mutate(file)
                  // The same file can be chosen again, after a failure.
                  event.target.value = ''
                }}
              />
            </label>
            {logo !== null && (
              <Button kind="quiet" onClick={() => change.mutate(null)}>
                {t('removeLogo')}
              </Button>
            )}
          </>
        ) : (
          <span className="text-meta text-text-3">{refusal}</span>
        )}
      </div>
      <p className="text-meta text-text-3">{t('logoHint')}</p>
      {change.error && <FailureNotice error={change.error} />}
    </section>
  )
}

function ColorSetting({ settings }: { settings: OrganizationSettings }) {
  const t = useSettingsTexts()
  const id = useId()
  const refusal = useRoleRefusal('admin')
  const [chosen, setChosen] = useState<string>()
  const save = useSettingsUpdate(() => {
    setChosen(undefined)
    showToast(t('saved'))
  })
  const color = chosen ?? settings.color
  const isUnreadable =
    chosen === undefined && settings.color_contrast !== null && settings.color_contrast < CONTRAST_MIN
  return (
    <section className="flex flex-col items-start gap-3">
      <label htmlFor={id} className="font-medium text-text">
        {t('color')}
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <input
          id={id}
          type="color"
          className="h-9 w-14 rounded-control border border-ctl bg-surface p-1 max-tablet:h-11"
          disabled={refusal !== undefined}
          value={color ?? HUB_COLOR}
          onChange={(event) => setChosen(event.target.value)}
        />
        <span className={cx('font-mono text-meta', color === null && 'text-text-3')}>{color ?? t('hubColor')}</span>
        <Button
          kind="primary"
          reason={refusal}
          disabled={chosen === undefined || chosen === settings.color}
          isBusy={save.isPending}
          onClick={() => chosen !== undefined && save.mutate({ color: chosen })}
        >
          {t('saveColor')}
        </Button>
        {settings.color !== null && refusal === undefined && (
          <Button kind="quiet" onClick={() => save.mutate({ color: null })}>
            {t('useHubColor')}
          </Button>
        )}
      </div>
      <p role="status" className={cx('text-meta', isUnreadable ? 'text-warn' : 'text-text-3')}>
        {isUnreadable ? t('colorUnreadable', { contrast: formatNumber(settings.color_contrast ?? 0) }) : t('colorHint')}
      </p>
      {save.error && <FailureNotice error={save.error} />}
    </section>
  )
}

async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
