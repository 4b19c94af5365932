import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { channelsQuery } from '../../../api/channels.ts'
import { DIRECTIONS, MESSAGE_STATUSES } from '../../../api/generated/definitions.gen.ts'
import { FilterBar } from '../../../ui/controls/filter-bar.tsx'
import { FilterDates } from '../../../ui/controls/filter-dates.tsx'
import { FilterText } from '../../../ui/controls/filter-text.tsx'
import { CheckedSearchBox, FilterChip, FilterChoices } from '../../../ui/controls/filters.tsx'
import { Status } from '../../../ui/data/status.tsx'
import { useTypeText } from '../message-type.ts'
import { useMessagesTexts } from '../messages-texts.ts'
import {
  listStatuses,
  type MessageSearch,
  parseSubject,
  type SearchChange,
  TYPES,
  writeStatuses,
  writeSubject,
} from '../search.ts'
import { JumpToDate } from './jump-to-date.tsx'

const NO_SUBJECT = { id: undefined, person: undefined, name: undefined, number_end: undefined }

type LogFiltersProps = { search: MessageSearch; onChange: (change: SearchChange) => void }

export function LogFilters({ search, onChange }: LogFiltersProps) {
  const t = useMessagesTexts()
  const typeText = useTypeText()
  const { data: channels = [] } = useQuery(channelsQuery)
  const { channel_id, direction, status, type, template, error_code, date } = search
  return (
    <FilterBar
      search={<SubjectSearch search={search} onChange={onChange} />}
      filters={[
        {
          id: 'channel',
          isSet: channel_id !== undefined,
          isCommon: true,
          filter: (
            <FilterChip
              name={t('channel')}
              value={channel_id}
              options={channels.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(value) => onChange({ channel_id: value })}
            />
          ),
        },
        {
          id: 'date',
          isSet: date !== undefined,
          isCommon: true,
          filter: <FilterDates value={date} onChange={(value) => onChange({ date: value })} />,
        },
        {
          id: 'jump',
          isSet: false,
          isCommon: true,
          filter: <JumpToDate onJump={(range) => onChange({ date: range })} />,
        },
        {
          id: 'status',
          isSet: status !== undefined,
          isCommon: true,
          filter: (
            <FilterChoices
              name={t('status')}
              values={listStatuses(status)}
              options={MESSAGE_STATUSES.map((value) => ({ value, label: <Status status={value} /> }))}
              onChange={(values) => onChange({ status: writeStatuses(values) })}
            />
          ),
        },
        {
          id: 'direction',
          isSet: direction !== undefined,
          filter: (
            <FilterChip
              name={t('direction')}
              value={direction}
              options={DIRECTIONS.map((value) => ({ value, label: t(value) }))}
              onChange={(value) => onChange({ direction: DIRECTIONS.find((one) => one === value) })}
            />
          ),
        },
        {
          id: 'type',
          isSet: type !== undefined,
          filter: (
            <FilterChip
              name={t('type')}
              value={type}
              options={TYPES.map((value) => ({ value, label: typeText(value) }))}
              onChange={(value) => onChange({ type: value })}
            />
          ),
        },
        {
          id: 'template',
          isSet: template !== undefined,
          filter: (
            <FilterText name={t('template')} value={template} onChange={(value) => onChange({ template: value })} />
          ),
        },
        {
          id: 'error_code',
          isSet: error_code !== undefined,
          filter: (
            <FilterText
              name={t('errorCode')}
              value={error_code?.toString()}
              hint={t('errorCodeHint')}
              pattern="[0-9]{1,8}"
              inputMode="numeric"
              onChange={(value) => onChange({ error_code: value === undefined ? undefined : Number(value) })}
            />
          ),
        },
      ]}
    />
  )
}

/** One box for a message and for a person. */
function SubjectSearch({ search, onChange }: LogFiltersProps) {
  const t = useMessagesTexts()
  const [isUnknown, setUnknown] = useState(false)
  return (
    <CheckedSearchBox
      label={t('search')}
      value={writeSubject(search) ?? ''}
      problem={isUnknown ? t('searchUnknown') : undefined}
      onChange={(typed) => {
        const subject = parseSubject(typed)
        const isKnown = Object.keys(subject).length > 0
        setUnknown(typed !== '' && !isKnown)
        if (typed === '' || isKnown) onChange({ ...NO_SUBJECT, ...subject })
      }}
    />
  )
}
