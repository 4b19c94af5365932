import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Id } from '../../../ui/controls/copy.tsx'
import { Facts } from '../../../ui/data/card.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { DrawerSection } from '../../../ui/overlays/drawer.tsx'
import { useDrawerTexts } from './drawer-texts.ts'
import type { MessageDetail } from './message-detail.ts'

export function DetailsSection({ message, channelName }: { message: MessageDetail; channelName: string | undefined }) {
  const t = useDrawerTexts()
  const { channel_id, person, upstream_message_id, idempotency, pricing, created_at, updated_at } = message
  const facts: (readonly [ReactNode, ReactNode] | undefined)[] = [
    [t('channel'), <ChannelName key="channel" id={channel_id} name={channelName} />],
    person.user_id === null ? undefined : ['user_id', <Id key="user" id={person.user_id} />],
    upstream_message_id === null ? undefined : ['upstream_message_id', <Id key="wamid" id={upstream_message_id} />],
    idempotency === null ? undefined : ['Idempotency-Key', <Id key="key" id={idempotency.key} />],
    idempotency === null ? undefined : [t('outcome'), t(`outcome.${idempotency.outcome}`)],
    pricing === null ? undefined : [t('pricing'), <Pricing key="pricing" pricing={pricing} />],
    [t('created'), <Time key="created" at={created_at} precision="second" />],
    [t('updated'), <Time key="updated" at={updated_at} precision="second" />],
  ]
  return (
    <DrawerSection title={t('details')}>
      <Facts facts={facts.filter((fact) => fact !== undefined)} />
    </DrawerSection>
  )
}

/** The upstream's category, model and whether it charges. It gives no amounts. */
function Pricing({ pricing }: { pricing: Record<string, unknown> }) {
  const t = useDrawerTexts()
  const { category, billable, pricing_model } = pricing
  const charge = typeof billable === 'boolean' ? (billable ? t('billable') : t('notBillable')) : undefined
  return [category, charge, pricing_model].filter((part) => typeof part === 'string').join(' · ') || '–'
}

function ChannelName({ id, name }: { id: string; name: string | undefined }) {
  if (name === undefined) return <Id id={id} />
  return (
    <Link to="/channels/$channelId" params={{ channelId: id }} className="text-accent">
      {name}
    </Link>
  )
}
