import type { LoggedRequest } from '@hubline/sdk/console'
import { formatDuration } from '../../../lib/format.ts'
import { Status } from '../../../ui/data/status.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { useRequestsTexts } from './requests-texts.ts'

/** Columns drop from the right while a drawer takes half of the page. */
export function useRequestColumns(isNarrow: boolean): Column<LoggedRequest>[] {
  const t = useRequestsTexts()
  const columns: Column<LoggedRequest>[] = [
    {
      id: 'time',
      header: t('time'),
      className: 'w-40 max-tablet:w-24',
      cell: ({ answered_at }) => <Time at={answered_at} precision="second" />,
    },
    { id: 'status', header: t('status'), className: 'w-20', cell: ({ status }) => <StatusCode status={status} /> },
    {
      id: 'path',
      header: t('path'),
      className: 'max-w-0 w-full',
      cell: ({ method, path }) => <MethodAndPath method={method} path={path} />,
    },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    { id: 'error', header: t('error'), from: 'tablet', cell: ({ error_code }) => <ErrorCode code={error_code} /> },
    {
      id: 'duration',
      header: t('duration'),
      isNumber: true,
      from: 'tablet',
      cell: ({ duration_ms }) => <span className="whitespace-nowrap">{formatDuration(duration_ms)}</span>,
    },
    {
      id: 'key',
      header: t('key'),
      from: 'desktop',
      cell: ({ credential }) => <CredentialName credential={credential} />,
    },
  ]
}

export function StatusCode({ status }: { status: number }) {
  return <Status status={status < 400 ? 'ok' : status < 500 ? 'warning' : 'failed'}>{status}</Status>
}

export function MethodAndPath({ method, path }: { method: string; path: string }) {
  return (
    <code className="flex min-w-0 gap-2 font-mono text-meta" title={`${method} ${path}`}>
      <span className="shrink-0 text-text-3">{method}</span>
      <span className="truncate text-text max-tablet:line-clamp-2 max-tablet:break-all max-tablet:whitespace-normal">
        {path}
      </span>
    </code>
  )
}

export function ErrorCode({ code }: { code: string | null }) {
  return code === null ? null : <code className="font-mono text-meta whitespace-nowrap">{code}</code>
}

export function CredentialName({ credential: { type, name } }: { credential: LoggedRequest['credential'] }) {
  const t = useRequestsTexts()
  const isKey = type === 'api_key'
  return (
    <span className="flex max-w-44 items-center gap-2">
      <Icon name={isKey ? 'key' : 'phone'} size={14} className="shrink-0 text-text-3" />
      <span className="sr-only">{t(isKey ? 'type.api_key' : 'type.channel_token')}</span>
      <span className="truncate">{name ?? t(isKey ? 'type.api_key' : 'type.channel_token')}</span>
    </span>
  )
}
