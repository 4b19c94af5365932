import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Button } from '../controls/button.tsx'
import { Id } from '../controls/copy.tsx'
import { Icon } from '../icon.tsx'
import { useUiTexts } from '../texts.ts'
import { useErrorText } from './error-text.tsx'
import { Notice } from './notice.tsx'

/** Its text begins where that of what is around it does, which sets the inset. */
const INSET = 'px-[var(--inset,24px)] py-6'
const WIDTHS = ['w-1/4', 'w-2/5', 'w-1/3', 'w-1/2']

/** Rows of the height of those that follow. */
export function Skeleton({ rows = 8, rowClass = 'h-10' }: { rows?: number; rowClass?: string }) {
  const t = useUiTexts()
  return (
    <div role="status" data-loading aria-label={t('loading')} className="appear-late">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={cx('flex items-center gap-8 border-b border-line px-3', rowClass)}>
          <span className="h-2 w-16 rounded-full bg-line" />
          <span className={cx('h-2 rounded-full bg-line', WIDTHS[row % WIDTHS.length])} />
        </div>
      ))}
    </div>
  )
}

/** Shows the list that could not be loaded, why, and another attempt. */
export function ErrorState({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const t = useUiTexts()
  const { message, reason, code, requestId } = useErrorText()(error)
  return (
    <div role="alert" className={cx('flex gap-3', INSET)}>
      <Icon name="ring-cross" size={16} className="mt-0.5 text-danger" />
      <div className="flex min-w-0 flex-col items-start gap-2">
        <h3 className="text-section font-semibold text-text">{title}</h3>
        <p>{message}</p>
        {reason !== undefined && <p>{reason}</p>}
        <p className="flex flex-wrap items-center gap-1 text-text-3">
          {code !== undefined && <code className="font-mono text-meta">{code}</code>}
          {requestId !== undefined && (
            <>
              · {t('requestId')} <Id id={requestId} isShort />
            </>
          )}
        </p>
        <Button icon="refresh" onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      </div>
    </div>
  )
}

/** Nothing is there yet, or nothing that the filters let through. */
export function EmptyState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div data-empty className={cx('flex max-w-xl flex-col items-start gap-2', INSET)}>
      <h3 className="text-section font-semibold text-text">{title}</h3>
      {children && <div className="flex flex-col gap-2">{children}</div>}
      {actions && <div className="mt-1 flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}

export function NoMatch({ title, children, onClear }: { title: string; children?: ReactNode; onClear: () => void }) {
  const t = useUiTexts()
  return (
    <EmptyState
      title={title}
      actions={
        <Button icon="x" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}

/** Shows why an action failed, inside a form or a dialog. */
export function FailureNotice({ error }: { error: unknown }) {
  const t = useUiTexts()
  const { message, reason, code, requestId } = useErrorText()(error)
  return (
    <Notice tone="danger" title={message}>
      {reason !== undefined && <span>{reason} </span>}
      {code !== undefined && <code className="font-mono text-meta">{code}</code>}
      {requestId !== undefined && (
        <span className="text-text-3">
          {' '}
          · {t('requestId')} <Id id={requestId} isShort />
        </span>
      )}
    </Notice>
  )
}
