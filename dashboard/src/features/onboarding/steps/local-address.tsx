import { HubError } from '@hubline/sdk'
import type { ReactNode } from 'react'
import { CopyButton } from '../../../ui/controls/copy.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { findLocalDestination } from '../local-destination.ts'
import { useOnboardingTexts } from '../onboarding-texts.ts'
import type { OneTimeSecret } from '../one-time-secret.tsx'
import { ListenCommand } from './listen-command.tsx'

type LocalAddressProps = {
  url: string
  /** The button, if there are inspectors. */
  receiveHere: ReactNode
  onSecret: (secret: OneTimeSecret) => void
}

/** Returns true if the hub refused an address of the developer's own machine or network, for which there are other ways. */
export function isLocalRefusal(error: unknown, url: string): boolean {
  return (
    error instanceof HubError && error.code === 'WEBHOOK_URL_NOT_ALLOWED' && findLocalDestination(url) !== undefined
  )
}

/** The hub sends to public addresses only, and this is one of three ways on. */
export function LocalAddress({ url, receiveHere, onSecret }: LocalAddressProps) {
  const t = useOnboardingTexts()
  const line = `WEBHOOK_ALLOWED_DESTINATIONS=${findLocalDestination(url) ?? ''}`
  return (
    <div className="flex w-full flex-col gap-3">
      <Notice tone="warn" title={t('local.refused')}>
        {t('local.ways')}
      </Notice>
      <ul className="flex flex-col gap-3">
        {receiveHere && (
          <li className="flex flex-wrap items-center gap-x-3 gap-y-2">
            {receiveHere}
            <span className="text-text-2">{t('local.here')}</span>
          </li>
        )}
        <li className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <ListenCommand url={url.trim()} onSecret={onSecret} />
          <span className="text-text-2">{t('local.listen')}</span>
        </li>
        <li className="flex flex-col gap-1">
          <span className="font-medium text-text">{t('local.allow')}</span>
          <span className="text-text-2">{t('local.allowText')}</span>
          <span className="inline-flex items-center gap-1 font-mono text-meta break-all text-text">
            <code>{line}</code>
            <CopyButton text={line} label={t('local.copyLine')} />
          </span>
        </li>
      </ul>
    </div>
  )
}
