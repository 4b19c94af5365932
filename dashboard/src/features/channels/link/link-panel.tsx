import { LANGUAGES, type Language } from '@hubline/locales/languages.ts'
import type { ConnectLinkResponse } from '@hubline/sdk/console'
import { useState } from 'react'
import { useLanguage } from '../../../lib/texts.ts'
import { ButtonAnchor } from '../../../ui/controls/button.tsx'
import { CopyButton, CopyTextButton } from '../../../ui/controls/copy.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { QrCode } from '../../../ui/data/qr-code.tsx'
import { StatusIcon } from '../../../ui/data/status.tsx'
import { Countdown } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { writeInvitation } from './invitation.ts'
import { type LinkState, useLinkState } from './link-state.ts'
import { useLinkTexts } from './link-texts.ts'

type LinkPanelProps = { channelId: string; name: string; link: ConnectLinkResponse }

/** A link for the owner of the number: to be scanned, copied or sent, for as long as it works. */
export function LinkPanel({ channelId, name, link }: LinkPanelProps) {
  const t = useLinkTexts()
  const { language } = useLanguage()
  const [spoken, setSpoken] = useState<Language>(language)
  const state = useLinkState(channelId, link)
  const isOpen = state === 'open'
  const text = writeInvitation(spoken, { name, expiresAt: link.expires_at })
  const whole = `${text}\n\n${link.connect_url}`
  return (
    <section className="flex flex-col gap-4">
      <div>
        <h3 className="flex flex-wrap items-center gap-2 text-section font-semibold text-text">
          {t('title')}
          <Badge tone="accent" icon="link">
            {t('badge')}
          </Badge>
          {isOpen && (
            <span className="ml-auto inline-flex items-center gap-1.5 text-base font-normal text-text-2">
              <Icon name="clock" size={14} />
              {t('expiresIn')} <Countdown until={link.expires_at} />
            </span>
          )}
        </h3>
        {isOpen && <p className="mt-1">{t('text')}</p>}
      </div>
      <div className="flex gap-5 max-tablet:flex-col">
        {isOpen && <QrCode text={link.connect_url} label={t('qr')} size={152} />}
        <div className="flex min-w-0 flex-1 flex-col items-start gap-3">
          {isOpen && (
            <>
              <div className="flex w-full min-w-0 items-center gap-2 rounded-control border border-ctl bg-sunken px-3 py-1.5">
                <code className="min-w-0 flex-1 truncate font-mono text-meta text-text">
                  {link.connect_url.replace(/^https?:\/\//, '')}
                </code>
                <CopyButton text={link.connect_url} label={t('copy')} />
              </div>
              <div className="flex flex-wrap gap-2">
                <ButtonAnchor size="bar" icon="message" href={`https://wa.me/?text=${encodeURIComponent(whole)}`}>
                  {t('whatsapp')}
                </ButtonAnchor>
                <ButtonAnchor
                  size="bar"
                  icon="mail"
                  href={`mailto:?subject=${encodeURIComponent(t('subject'))}&body=${encodeURIComponent(whole)}`}
                >
                  {t('email')}
                </ButtonAnchor>
                <ButtonAnchor size="bar" icon="external" href={link.connect_url}>
                  {t('preview')}
                </ButtonAnchor>
              </div>
            </>
          )}
          <StateLine state={state} />
        </div>
      </div>
      {isOpen && (
        <div className="rounded-card border border-line">
          <div className="flex flex-wrap items-center justify-between gap-2 px-3 pt-2">
            <span className="text-text-2">{t('message')}</span>
            <span className="flex items-center gap-2">
              <Segmented
                label={t('message')}
                value={spoken}
                options={LANGUAGES.toReversed().map((value) => ({ value, label: value }))}
                onChange={setSpoken}
              />
              <CopyTextButton text={whole} />
            </span>
          </div>
          <p lang={spoken} className="p-3">
            {text}
          </p>
        </div>
      )}
    </section>
  )
}

const STATUSES = { open: 'pending', used: 'active', ended: 'expired' } as const

function StateLine({ state }: { state: LinkState }) {
  const t = useLinkTexts()
  return (
    <p role="status" className="flex items-start gap-2">
      <span className="mt-0.5">
        <StatusIcon status={STATUSES[state]} />
      </span>
      <span>
        <strong className="font-medium text-text">{t(state)}</strong> {t(`${state}Text`)}
      </span>
    </p>
  )
}
