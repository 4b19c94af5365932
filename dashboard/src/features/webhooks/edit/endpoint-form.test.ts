import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Webhook } from '@hubline/sdk/console'
import fc from 'fast-check'
import { EVENT_KINDS } from '../../../api/events.ts'
import { EMPTY_FORM, type EndpointForm, toBody, toChanges, toForm, withMode } from './endpoint-form.ts'

const forms: fc.Arbitrary<EndpointForm> = fc.record({
  name: fc.string(),
  url: fc.webUrl(),
  isEveryKind: fc.boolean(),
  kinds: fc.uniqueArray(fc.constantFrom(...EVENT_KINDS), { minLength: 1 }),
  payloadMode: fc.constantFrom('normalized', 'upstream_raw'),
  mediaUrls: fc.constantFrom('upstream', 'hub'),
  deliveryFormat: fc.constantFrom('native', 'compat'),
  isEveryChannel: fc.boolean(),
  channelIds: fc.uniqueArray(fc.uuid(), { minLength: 1 }),
})

/** The endpoint that the hub makes of a body. */
function create(form: EndpointForm): Webhook {
  const { event_types: events, ...body } = toBody(form)
  return { ...body, events } as Webhook
}

function sortLists(body: object): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
  )
}

test('an endpoint that is opened and saved as it is does not change', () => {
  fc.assert(
    fc.property(forms, (form) => {
      const shown = toForm(create(form))
      assert.deepEqual(toBody(shown), toBody(form))
      assert.equal(toChanges(shown, { ...shown }), undefined)
    }),
  )
})

test('changes have what differs, and nothing else', () => {
  fc.assert(
    fc.property(forms, forms, (before, after) => {
      const { delivery_format: _, ...old } = toBody(before)
      const { delivery_format: __, ...next } = toBody(after)
      assert.deepEqual(sortLists({ ...old, ...toChanges(before, after) }), sortLists(next))
    }),
  )
})

test('every kind and every channel are sent as empty lists, also after others were chosen', () => {
  const form: EndpointForm = { ...EMPTY_FORM, kinds: ['message.received'], channelIds: ['a'] }

  const { event_types, all_channels, channel_ids } = toBody(form)

  assert.deepEqual([event_types, all_channels, channel_ids], [[], true, []])
})

test('names and addresses lose the spaces around them', () => {
  const { name, url } = toBody({ ...EMPTY_FORM, name: ' erp ', url: ' https://erp.example/hooks\n' })

  assert.deepEqual([name, url], ['erp', 'https://erp.example/hooks'])
})

test('kinds and channels that are chosen again in another order are no change', () => {
  const before: EndpointForm = {
    ...EMPTY_FORM,
    isEveryKind: false,
    kinds: ['message.received', 'webhook.test'],
    isEveryChannel: false,
    channelIds: ['a', 'b'],
  }

  assert.equal(toChanges(before, { ...before, kinds: before.kinds.toReversed(), channelIds: ['b', 'a'] }), undefined)
})

test('a new endpoint in the mode of Meta also has its signature, and addresses of files that the channel token opens', () => {
  const raw = toBody({ ...EMPTY_FORM, ...withMode('upstream_raw') })
  const back = { ...EMPTY_FORM, ...withMode('upstream_raw'), ...withMode('normalized') }

  assert.deepEqual([raw.payload_mode, raw.delivery_format, raw.media_urls], ['upstream_raw', 'compat', 'hub'])
  assert.deepEqual(back, EMPTY_FORM)
})
