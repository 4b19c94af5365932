import { useState } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { FilterPopover } from '../../../ui/controls/filter-text.tsx'
import { FilterFrame, FilterLabel } from '../../../ui/controls/filters.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { useDeliveryTexts } from '../delivery/delivery-texts.ts'
import { type DetailSearch, HTTP_CLASSES, parseHttp } from '../search.ts'

type Http = DetailSearch['http']

/** A class of status codes, one code, or no response at all. */
export function HttpFilter({ value, onChange }: { value: Http; onChange: (value: Http) => void }) {
  const t = useDeliveryTexts()
  const u = useUiTexts()
  const [isOpen, setOpen] = useState(false)
  const [code, setCode] = useState('')
  const describe = (one: Http) => (one === 'none' ? t('noResponse') : one)

  function choose(next: Http): void {
    setOpen(false)
    onChange(next)
  }
  return (
    <FilterFrame name={t('http')} isSet={value !== undefined} onClear={() => onChange(undefined)}>
      <FilterPopover
        name={t('http')}
        label={<FilterLabel name={t('http')} value={describe(value)} />}
        isOpen={isOpen}
        onOpenChange={(next) => {
          setOpen(next)
          setCode(typeof value === 'number' ? String(value) : '')
        }}
      >
        <div className="flex flex-wrap gap-2">
          {HTTP_CLASSES.map((one) => (
            <Button key={one} size="bar" aria-pressed={one === value} onClick={() => choose(one)}>
              {describe(one)}
            </Button>
          ))}
        </div>
        <form
          className="mt-4 flex flex-col gap-3 border-t border-line pt-4"
          onSubmit={(event) => {
            event.preventDefault()
            choose(code === '' ? undefined : parseHttp(code))
          }}
        >
          <TextField
            label={t('statusCode')}
            pattern="[1-5][0-9]{2}"
            inputMode="numeric"
            autoComplete="off"
            value={code}
            onChange={({ target }) => setCode(target.value.trim())}
          />
          <Button type="submit" className="self-start">
            {u('apply')}
          </Button>
        </form>
      </FilterPopover>
    </FilterFrame>
  )
}
