import type { Conversation } from '@hubline/sdk/console'
import { type FormEvent, useState } from 'react'
import { cx } from '../../../lib/cx.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { Menu } from '../../../ui/controls/menu.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { initials } from '../../../ui/data/initials.ts'
import { Time } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { type Customer, toHandle } from '../customer.ts'
import { useSandboxTexts } from '../sandbox-texts.ts'

type CustomerMenuProps = {
  customers: Conversation['customers']
  customer: Customer
  /** The phones of those with messages that were not shown yet. */
  newMessages: ReadonlySet<string>
  onChange: (customer: Customer) => void
}

/** Chooses the customer whose phone is shown. */
export function CustomerMenu({ customers, customer, newMessages, onChange }: CustomerMenuProps) {
  const t = useSandboxTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Menu
        items={[
          { label: t('newCustomer'), icon: 'plus', onSelect: () => setOpen(true) },
          ...customers.map((one) => ({
            label: <CustomerLabel customer={one} at={one.last_message_at} isNew={newMessages.has(one.phone)} />,
            isChecked: one.phone === customer.phone,
            onSelect: () => onChange(one),
          })),
        ]}
        trigger={
          <button
            type="button"
            title={t('chooseCustomer')}
            className="flex h-8 w-full items-center gap-2 rounded-control border border-line-2 bg-surface px-2 shadow-1 hover:bg-hover max-tablet:h-11"
          >
            <span
              aria-hidden="true"
              className="flex size-5 shrink-0 items-center justify-center rounded-full bg-accent-soft text-[10px] font-semibold text-accent"
            >
              {initials(customer.name)}
            </span>
            <span className="min-w-0 truncate font-medium text-text">{customer.name}</span>
            <span className="ml-auto flex min-w-0 items-center gap-1.5 text-text-3">
              {customer.hides_phone && (
                <span title={t('hidesPhone')}>
                  <Icon name="eye-off" size={14} />
                  <span className="sr-only">{t('hidesPhone')}</span>
                </span>
              )}
              <span className="truncate">{toHandle(customer)}</span>
            </span>
            {newMessages.size > 0 && <Badge tone="neutral">{t('newIn', { count: newMessages.size })}</Badge>}
            <Icon name="chevron-down" size={14} className="text-text-3" />
          </button>
        }
      />
      {isOpen && (
        <NewCustomerDialog
          onClose={() => setOpen(false)}
          onCreate={(created) => {
            setOpen(false)
            onChange(created)
          }}
        />
      )}
    </>
  )
}

type CustomerLabelProps = { customer: Conversation['customers'][number]; at: string; isNew: boolean }

function CustomerLabel({ customer, at, isNew }: CustomerLabelProps) {
  const t = useSandboxTexts()
  return (
    <span className="flex min-w-0 items-center gap-3">
      <span className={cx('min-w-0 flex-1 truncate', isNew && 'font-semibold')}>
        {customer.name} · {toHandle(customer)}
      </span>
      {isNew && <span className="text-accent">{t('hasNew')}</span>}
      <span className="text-meta text-text-3">
        <Time at={at} />
      </span>
    </span>
  )
}

function NewCustomerDialog({ onClose, onCreate }: { onClose: () => void; onCreate: (customer: Customer) => void }) {
  const t = useSandboxTexts()
  const u = useUiTexts()
  const [form, setForm] = useState({ name: '', phone: '', username: '' })
  const phone = form.phone.replace(/\D/g, '')
  const username = form.username.trim().replace(/^@/, '') || null
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!/^[1-9]\d{6,14}$/.test(phone)) return
    const name = form.name.trim()
    onCreate({ name, phone, username, hides_phone: username !== null, user_id: null, isNew: true })
  }
  return (
    <Dialog title={t('newCustomer')} description={t('newCustomerText')} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('customerName')}
          value={form.name}
          maxLength={100}
          required
          autoComplete="off"
          onChange={(event) => setForm({ ...form, name: event.target.value })}
        />
        <TextField
          label={t('customerPhone')}
          hint={t('customerPhoneHint')}
          value={form.phone}
          type="tel"
          required
          pattern="\+?[\d\s\(\)\-]{7,20}"
          autoComplete="off"
          onChange={(event) => setForm({ ...form, phone: event.target.value })}
        />
        <TextField
          label={t('customerUsername')}
          hint={t('customerUsernameHint')}
          value={form.username}
          maxLength={36}
          pattern="@?[A-Za-z0-9._]{3,35}"
          title={t('usernameRule')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setForm({ ...form, username: event.target.value })}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{u('cancel')}</Button>
          <Button kind="primary" type="submit">
            {t('useCustomer')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
