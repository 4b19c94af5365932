import type { CreateWebhook, UpdateWebhook, Webhook } from '@hubline/sdk/console'
import type { EventKind } from '../../../api/events.ts'

/** The fields of the dialog. No kinds at all is every kind for the hub, so that the form keeps the two apart. */
export type EndpointForm = {
  name: string
  url: string
  isEveryKind: boolean
  kinds: readonly EventKind[]
  payloadMode: Webhook['payload_mode']
  mediaUrls: Webhook['media_urls']
  deliveryFormat: Webhook['delivery_format']
  isEveryChannel: boolean
  channelIds: readonly string[]
}

export const EMPTY_FORM: EndpointForm = {
  name: '',
  url: '',
  isEveryKind: true,
  kinds: [],
  payloadMode: 'normalized',
  mediaUrls: 'upstream',
  deliveryFormat: 'native',
  isEveryChannel: true,
  channelIds: [],
}

/**
 * The defaults of a new endpoint with a mode: software that reads Meta's bodies verifies Meta's signature, and has no token
 * for Meta's files. Each can be changed afterwards.
 */
export function withMode(payloadMode: EndpointForm['payloadMode']): Partial<EndpointForm> {
  return payloadMode === 'upstream_raw'
    ? { payloadMode, deliveryFormat: 'compat', mediaUrls: 'hub' }
    : { payloadMode, deliveryFormat: 'native', mediaUrls: 'upstream' }
}

export function toForm(webhook: Webhook): EndpointForm {
  return {
    name: webhook.name,
    url: webhook.url,
    isEveryKind: webhook.events.length === 0,
    kinds: webhook.events,
    payloadMode: webhook.payload_mode,
    mediaUrls: webhook.media_urls,
    deliveryFormat: webhook.delivery_format,
    isEveryChannel: webhook.all_channels,
    channelIds: webhook.channel_ids,
  }
}

export function toBody(form: EndpointForm): Required<CreateWebhook> {
  return {
    name: form.name.trim(),
    url: form.url.trim(),
    event_types: form.isEveryKind ? [] : [...form.kinds],
    payload_mode: form.payloadMode,
    media_urls: form.mediaUrls,
    delivery_format: form.deliveryFormat,
    all_channels: form.isEveryChannel,
    channel_ids: form.isEveryChannel ? [] : [...form.channelIds],
  }
}

/** Only what differs: an address that stays is not checked again. Undefined where nothing does. */
export function toChanges(before: EndpointForm, after: EndpointForm): UpdateWebhook | undefined {
  const { delivery_format: _, ...old } = toBody(before)
  const { delivery_format: __, ...next } = toBody(after)
  const names = (Object.keys(next) as (keyof typeof next)[]).filter(
    (name) => writeValue(next[name]) !== writeValue(old[name]),
  )
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, next[name]]))
}

/** Lists have no order for the hub. */
function writeValue(value: unknown): string {
  return JSON.stringify(Array.isArray(value) ? value.toSorted() : value)
}
