import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { useRefusal } from '../../api/permissions.ts'
import { useApiExample } from '../../lib/api-example.ts'
import { cx } from '../../lib/cx.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { PageHeader } from '../../ui/data/card.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { useAttention } from '../../ui/table/use-attention.ts'
import { describeCall } from './api-call.ts'
import { MessageDrawer } from './drawer/message-drawer.tsx'
import { ExportDialog } from './export/export-dialog.tsx'
import { LiveButton } from './log/live-button.tsx'
import { LogFilters } from './log/log-filters.tsx'
import { LogTable } from './log/log-table.tsx'
import { useMessageLog } from './log/use-message-log.ts'
import { useNames } from './log/use-names.ts'
import { ViewsMenu } from './log/views-menu.tsx'
import { useMessagesTexts } from './messages-texts.ts'
import type { MessageSearch, SearchChange } from './search.ts'

const route = getRouteApi('/shell/messages')

export function MessagesPage() {
  const t = useMessagesTexts()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const [isLive, setLive] = useState(true)
  const [isExporting, setExporting] = useState(false)
  const { data: channels } = useQuery(channelsQuery)
  const names = useMemo(() => new Map(channels?.map(({ id, name }) => [id, name])), [channels])
  const attention = useAttention()
  const isCalm = attention.isCalm && search.open === undefined
  const { log, rows, filters, arrivals, release } = useMessageLog(search, { isLive, isCalm })
  const peopleNames = useNames(rows)
  const refusal = useRefusal('messages:read')
  const toggleNames = peopleNames.isShown ? peopleNames.hide : peopleNames.show
  useShortcuts({ Home: release })
  useApiExample(describeCall(search))

  /** Another filter begins another list, without a drawer. */
  function change(next: SearchChange): void {
    void navigate({ search: ({ open, ...before }) => dropUnset({ ...before, ...next }), replace: true })
  }
  const close = useCallback(() => void navigate({ search: ({ open, ...before }) => before }), [navigate])
  function move(step: 1 | -1): void {
    const next = rows[rows.findIndex(({ id }) => id === search.open) + step]
    if (next) void navigate({ search: (before) => ({ ...before, open: next.id }), replace: true })
  }

  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-w-0 flex-1 flex-col">
        <div
          className={cx(
            'flex flex-col gap-4 border-b border-line py-5 max-tablet:gap-3 max-tablet:p-4',
            search.open === undefined ? 'px-8' : 'px-5',
          )}
        >
          <PageHeader
            title={t('title')}
            aside={
              <>
                <span className="flex gap-2 max-tablet:hidden">
                  {search.open === undefined && (
                    <Button
                      icon={peopleNames.isShown ? 'eye-off' : 'eye'}
                      aria-pressed={peopleNames.isShown}
                      isBusy={peopleNames.isPending}
                      reason={refusal}
                      onClick={toggleNames}
                    >
                      {t(peopleNames.isShown ? 'hideNames' : 'showNames')}
                    </Button>
                  )}
                  <ViewsMenu onChoose={(view) => void navigate({ search: view })} />
                  <Button icon="download" onClick={() => setExporting(true)}>
                    {t('export')}
                  </Button>
                </span>
                <span className="hidden max-tablet:inline">
                  <IconButton
                    icon={peopleNames.isShown ? 'eye-off' : 'eye'}
                    label={t(peopleNames.isShown ? 'hideNames' : 'showNames')}
                    aria-pressed={peopleNames.isShown}
                    disabled={refusal !== undefined}
                    onClick={toggleNames}
                  />
                  <IconButton icon="download" label={t('export')} onClick={() => setExporting(true)} />
                </span>
                <LiveButton isOn={isLive} onChange={setLive} />
              </>
            }
          />
          <LogFilters search={search} onChange={change} />
          {peopleNames.error && <FailureNotice error={peopleNames.error} />}
        </div>
        <LogTable
          {...{ log, rows, search, arrivals, attention }}
          channelNames={names}
          names={peopleNames}
          onRelease={release}
          onClear={() => void navigate({ search: {} })}
        />
      </div>
      {search.open !== undefined && (
        <MessageDrawer
          key={search.open}
          id={search.open}
          channelName={(id) => names.get(id)}
          onMove={move}
          onClose={close}
        />
      )}
      {isExporting && <ExportDialog filters={filters} onClose={() => setExporting(false)} />}
    </div>
  )
}

function dropUnset(search: SearchChange): MessageSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
