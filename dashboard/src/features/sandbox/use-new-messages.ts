import type { Conversation } from '@hubline/sdk/console'
import { useState } from 'react'

/** The phones of customers with messages that came after their chat was shown, or after the page was opened. */
export function useNewMessages(customers: Conversation['customers'], open: string): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>()
  const latest = customers.find(({ phone }) => phone === open)?.last_message_at
  if (seen === undefined) {
    if (customers.length > 0) setSeen(new Map(customers.map(({ phone, last_message_at }) => [phone, last_message_at])))
  } else if (latest !== undefined && seen.get(open) !== latest) setSeen(new Map([...seen, [open, latest]]))
  const others = customers.filter(({ phone }) => phone !== open)
  return new Set(
    others.filter(({ phone, last_message_at }) => seen && last_message_at > (seen.get(phone) ?? '')).map(toPhone),
  )
}

function toPhone({ phone }: { phone: string }): string {
  return phone
}
