import type { LoggedRequest, RequestErrorGroup } from '@hubline/sdk/console'
import { useState } from 'react'
import { FilterBar } from '../../../ui/controls/filter-bar.tsx'
import { FilterDates } from '../../../ui/controls/filter-dates.tsx'
import { CheckedSearchBox, FilterChip } from '../../../ui/controls/filters.tsx'
import { type DevelopersSearch, METHODS, readUuid, STATUS_CLASSES } from '../search.ts'
import { useRequestsTexts } from './requests-texts.ts'

export type SearchChange = { [Key in keyof DevelopersSearch]?: DevelopersSearch[Key] | undefined }

type RequestFiltersProps = {
  search: DevelopersSearch
  rows: readonly LoggedRequest[]
  errors: readonly RequestErrorGroup[]
  onChange: (change: SearchChange) => void
}

/** Routes, credentials and errors are offered as far as the log has shown them. */
export function RequestFilterBar({ search, rows, errors, onChange }: RequestFiltersProps) {
  const t = useRequestsTexts()
  const routes = [...rows.map(({ route }) => route), ...errors.map(({ route }) => route), search.route]
  const codes = [...errors.map(({ error_code }) => error_code), ...rows.map(({ error_code }) => error_code)]
  const names = new Map(rows.map(({ credential }) => [credential.id, credential.name ?? credential.id.slice(0, 13)]))
  if (search.credential_id !== undefined && !names.has(search.credential_id)) {
    names.set(search.credential_id, search.credential_id.slice(0, 13))
  }
  const statuses = [...STATUS_CLASSES, search.status]
  return (
    <FilterBar
      search={<RequestIdSearch value={search.request_id} onChange={(request_id) => onChange({ request_id })} />}
      filters={[
        {
          id: 'status',
          isSet: search.status !== undefined,
          isCommon: true,
          filter: (
            <FilterChip
              name={t('status')}
              value={search.status}
              options={toOptions(statuses)}
              onChange={(status) => onChange({ status })}
            />
          ),
        },
        {
          id: 'error',
          isSet: search.error_code !== undefined,
          isCommon: true,
          filter: (
            <FilterChip
              name={t('error')}
              value={search.error_code}
              options={toOptions([...codes, search.error_code].sort())}
              onChange={(error_code) => onChange({ error_code })}
            />
          ),
        },
        {
          id: 'route',
          isSet: search.route !== undefined,
          isCommon: true,
          filter: (
            <FilterChip
              name={t('route')}
              value={search.route}
              options={toOptions(routes.sort())}
              onChange={(route) => onChange({ route })}
            />
          ),
        },
        {
          id: 'key',
          isSet: search.credential_id !== undefined,
          isCommon: true,
          filter: (
            <FilterChip
              name={t('key')}
              value={search.credential_id}
              options={[...names].map(([value, label]) => ({ value, label }))}
              onChange={(credential_id) => onChange({ credential_id })}
            />
          ),
        },
        {
          id: 'method',
          isSet: search.method !== undefined,
          filter: (
            <FilterChip
              name={t('method')}
              value={search.method}
              options={toOptions(METHODS)}
              onChange={(method) => onChange({ method: METHODS.find((one) => one === method) })}
            />
          ),
        },
        {
          id: 'date',
          isSet: search.date !== undefined,
          isCommon: true,
          filter: <FilterDates value={search.date} onChange={(date) => onChange({ date })} />,
        },
      ]}
    />
  )
}

function toOptions(values: readonly (string | null | undefined)[]) {
  const known = [...new Set(values)].filter((value) => value !== null && value !== undefined)
  return known.map((value) => ({ value, label: <code className="font-mono text-meta">{value}</code> }))
}

type RequestIdSearchProps = { value: string | undefined; onChange: (value: string | undefined) => void }

function RequestIdSearch({ value = '', onChange }: RequestIdSearchProps) {
  const t = useRequestsTexts()
  const [isUnknown, setUnknown] = useState(false)
  return (
    <CheckedSearchBox
      isWide
      label={t('search')}
      value={value}
      problem={isUnknown ? t('searchUnknown') : undefined}
      onChange={(typed) => {
        const id = readUuid(typed)
        setUnknown(typed !== '' && id === undefined)
        if (typed === '' || id !== undefined) onChange(id)
      }}
    />
  )
}
