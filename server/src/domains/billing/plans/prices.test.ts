import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestCheckout, startBilling } from '../test/fixture.ts'

const MONTHLY = { currency: 'brl', interval: 'month', interval_count: 1 }
const PRICES = [
  { item: 'starter', unit_amount: 9900, ...MONTHLY },
  { item: 'pro', unit_amount: 34_900, ...MONTHLY },
  { item: 'connection', unit_amount: 1900, ...MONTHLY },
]

test('a viewer sees the prices of the provider, also before the first checkout of a sandbox', async (t) => {
  const { hub } = await startBilling(t)
  const { organizationId } = await hub.organization()
  const viewer = await hub.person({ organizationId, role: 'viewer' })

  const list = await viewer.get('/console/billing/prices')

  assert.deepEqual([list.status, list.body], [200, { data: { prices: PRICES } }])
})

test('a changed price is shown within a minute, and the provider is asked once for all who look', {
  rules: ['billing.prices-are-the-last-minutes'],
}, async (t) => {
  const { hub, up, control, listObjects } = await startBilling(t, { isOwn: true })
  const { organizationId } = await hub.organization()
  const viewer = await hub.person({ organizationId, role: 'viewer' })
  const read = async () => (await viewer.get('/console/billing/prices')).body.data.prices[0].unit_amount
  assert.equal(await read(), 9900)
  const [price] = (await listObjects('prices')).filter(({ lookup_key }) => lookup_key === 'hubline_starter_monthly')
  const body = new URLSearchParams({
    product: price.product,
    currency: 'brl',
    unit_amount: '12900',
    'recurring[interval]': 'month',
    lookup_key: price.lookup_key,
    transfer_lookup_key: 'true',
  })
  const headers = { authorization: `Bearer ${up.simulator.payments.secretKey}` }
  assert.equal((await fetch(`${up.simulator.payments.url}/v1/prices`, { method: 'POST', body, headers })).status, 200)
  await control('POST', '/faults', { kind: 'error', path: '/v1/prices', times: 1 })

  const cached = await Promise.all(Array.from({ length: 5 }, read))
  await hub.clock.advance('61 seconds')
  const failed = await viewer.get('/console/billing/prices')
  const fresh = await read()

  assert.deepEqual(cached, [9900, 9900, 9900, 9900, 9900])
  assert.deepEqual([failed.status, failed.body.error.code], [502, 'UPSTREAM_UNAVAILABLE'])
  assert.equal(fresh, 12_900)
})

test('a checkout is opened although the prices could not be shown', {
  rules: ['billing.prices-are-the-last-minutes'],
}, async (t) => {
  const { hub, control } = await startBilling(t, { isOwn: true })
  const acme = await hub.organization()
  const viewer = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  await control('POST', '/faults', { kind: 'error', path: '/v1/prices', times: 1 })

  const failed = await viewer.get('/console/billing/prices')
  const opened = await requestCheckout(acme, 'starter')

  assert.equal(failed.status, 502)
  assert.equal(opened.status, 201, opened.text)
})
