import type { ApiKey } from '@hubline/sdk/console'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy.tsx'
import { Badge } from '../../ui/data/badge.tsx'
import { Status } from '../../ui/data/status.tsx'
import { Time } from '../../ui/data/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { useUiTexts } from '../../ui/texts.ts'
import { useApiKeysTexts } from './api-keys-texts.ts'
import { LastUsed } from './last-used.tsx'

const SHOWN_SCOPES = 3

/** Without `onRevoke` for a person who may not revoke. */
export function useKeyColumns(onRevoke: ((key: ApiKey) => void) | undefined): Column<ApiKey>[] {
  const t = useApiKeysTexts()
  const u = useUiTexts()
  return [
    {
      id: 'name',
      header: t('name'),
      cell: ({ id, name }) => (
        <span className="inline-flex items-center gap-1 font-medium text-text">
          {name}
          <CopyButton text={id} label={u('copyId')} />
        </span>
      ),
    },
    {
      id: 'key',
      header: t('key'),
      cell: ({ prefix, last4 }) => (
        <code className="font-mono text-meta">
          {prefix}…{last4}
        </code>
      ),
    },
    { id: 'scopes', header: t('scopes'), from: 'desktop', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    {
      id: 'status',
      header: t('status'),
      from: 'tablet',
      cell: ({ status }) => <Status status={status}>{t(`status.${status}`)}</Status>,
    },
    { id: 'used', header: t('lastUsed'), from: 'tablet', cell: ({ last_used_at }) => <LastUsed at={last_used_at} /> },
    { id: 'created', header: t('created'), from: 'desktop', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'expires',
      header: t('expires'),
      from: 'tablet',
      cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : t('never')),
    },
    {
      id: 'revoke',
      header: <span className="sr-only">{t('revoke')}</span>,
      isNumber: true,
      cell: (key) =>
        key.status === 'active' &&
        onRevoke && (
          <Button size="bar" kind="danger" aria-label={t('revokeOf', { name: key.name })} onClick={() => onRevoke(key)}>
            {t('revoke')}
          </Button>
        ),
    },
  ]
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  return (
    <span title={scopes.join(', ')} className="flex items-center gap-1">
      {scopes.slice(0, SHOWN_SCOPES).map((scope) => (
        <Badge key={scope} isCode>
          {scope}
        </Badge>
      ))}
      {scopes.length > SHOWN_SCOPES && <span className="text-text-3">+{scopes.length - SHOWN_SCOPES}</span>}
    </span>
  )
}
