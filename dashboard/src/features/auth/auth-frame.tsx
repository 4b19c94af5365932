import type { ReactNode } from 'react'
import { LanguageMenu, ThemeMenu } from '../../ui/controls/preferences.tsx'
import { Badge } from '../../ui/data/badge.tsx'
import { Logo } from '../../ui/icon.tsx'
import { useAuthTexts } from './auth-texts.ts'

const ATTEMPTS = [
  ['503', '14:02:11'],
  ['503', '14:02:16'],
  ['503', '14:03:20'],
  ['200', '14:08:34'],
  ...Array.from({ length: 6 }, () => ['–', ''] as const),
] as const

/** The pages before the session: the form at the left, what the product does at the right. */
export function AuthFrame({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="grid min-h-dvh grid-cols-2 max-desktop:grid-cols-1">
      <div className="flex flex-col">
        <header className="flex items-center justify-between p-8 max-tablet:p-4">
          <span className="flex items-center gap-2 text-section font-semibold text-text">
            <Logo size={24} />
            Hubline
          </span>
          <span className="flex items-center gap-1">
            <LanguageMenu />
            <ThemeMenu />
          </span>
        </header>
        <main className="m-auto flex w-full max-w-[400px] flex-col gap-4 p-5">
          <div>
            <h1 className="text-[24px] leading-8 font-semibold tracking-[-0.015em] text-text">{title}</h1>
            <p className="mt-1">{text}</p>
          </div>
          {children}
        </main>
        <div className="h-16 max-tablet:hidden" />
      </div>
      <Story />
    </div>
  )
}

function Story() {
  const t = useAuthTexts()
  return (
    <aside className="flex items-center justify-center border-l border-line bg-bg p-12 max-desktop:hidden">
      <div className="max-w-[520px]">
        <div aria-hidden="true" className="rounded-card border border-line bg-surface p-5 shadow-1">
          <div className="mb-4 flex items-center gap-2">
            <code className="font-mono text-meta text-text">message.received</code>
            <Badge tone="accent" icon="ring-tick">
              {t('delivered')}
            </Badge>
            <span className="ml-auto text-meta text-text-3">{t('attempt')}</span>
          </div>
          <ol className="flex gap-1.5">
            {ATTEMPTS.map(([status, time], position) => (
              <li key={position} className="flex-1 text-center text-[10px] text-text-3">
                <span
                  className={`mb-1 flex h-10 items-center justify-center rounded-control border font-mono text-meta ${SLOTS[status]}`}
                >
                  {status}
                </span>
                {time}
              </li>
            ))}
          </ol>
        </div>
        <h2 className="mt-8 text-page font-semibold tracking-[-0.015em] text-text">{t('storyTitle')}</h2>
        <p className="mt-2 text-section">{t('storyText')}</p>
      </div>
    </aside>
  )
}

const SLOTS = {
  '503': 'border-danger/30 bg-danger-soft text-danger',
  '200': 'border-accent bg-accent text-on-accent',
  '–': 'border-dashed border-line-2',
}
