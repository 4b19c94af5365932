import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CARDS,
  createCheckout,
  createPrices,
  DAY,
  type Fixture,
  HOUR,
  startPayments,
  subscribe,
} from '../test/fixture.ts'

async function open(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function submit(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields)
  const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

async function openCheckout(fixture: Fixture) {
  const { starter } = await createPrices(fixture)
  const { id: customer } = await fixture.stripe.customers.create({})
  const { url } = await createCheckout(fixture, starter, customer)
  return { customer, url: url! }
}

async function openPortal({ stripe }: Fixture, customer: string) {
  const { id: configuration } = await stripe.billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: { enabled: false },
    },
  })
  const return_url = 'http://localhost:8080/billing'
  return stripe.billingPortal.sessions.create({ customer, configuration, return_url })
}

test('the checkout page shows the order and the amount, in the language of the browser', async (t) => {
  const fixture = await startPayments(t)
  const { url } = await openCheckout(fixture)

  const english = await open(url)
  const portuguese = await open(url, { 'accept-language': 'de, pt-BR;q=0.9, en;q=0.8' })
  const spanish = await open(url, { 'accept-language': 'es-MX' })

  assert.equal(english.status, 200)
  assert.match(english.text, /<html lang="en">/)
  assert.match(english.text, /<li>1 × Starter, R\$99\.00 per month<\/li>/)
  assert.match(english.text, /<p><strong>Total: R\$99\.00 per month<\/strong><\/p>/)
  assert.match(english.text, /<a href="http:\/\/localhost:8080\/plans">Cancel and go back<\/a>/)
  assert.match(portuguese.text, /<html lang="pt-BR">/)
  assert.match(portuguese.text, /R\$\s99,00 por mês/)
  assert.match(spanish.text, /<html lang="es">[\s\S]*BRL\s99\.00 por mes/)
  assert.match(
    english.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; style-src 'self'; font-src 'self';/,
  )
  for (const [, id] of english.text.matchAll(/<input id="(\w+)"/g))
    assert.match(english.text, new RegExp(`for="${id}"`))
  assert.doesNotMatch(english.text, /<script|<img|src=/)
  assert.deepEqual(english.text.match(/<link rel="stylesheet"[^>]*>/g), [
    '<link rel="stylesheet" href="/_sim/assets/page.css">',
  ])
})

test('a checkout explains a declined card at its field, redirects once it is paid, and is paid once', async (t) => {
  const fixture = await startPayments(t)
  const { customer, url } = await openCheckout(fixture)

  const declined = await submit(url, { card: CARDS.declined }, { 'accept-language': 'pt' })
  const mistyped = await submit(url, { card: '4242' })
  const paid = await submit(url, { card: CARDS.visa })
  const events = fixture.received()
  const again = await submit(url, { card: CARDS.visa })

  assert.equal(declined.status, 402)
  assert.match(declined.text, /<p role="alert" id="problem">Seu cartão foi recusado/)
  assert.match(declined.text, /id="card"[^>]* aria-invalid="true" aria-describedby="problem" autofocus/)
  assert.match(mistyped.text, /Your card number is incorrect/)
  assert.deepEqual([paid.status, paid.location], [303, 'http://localhost:8080/done'])
  assert.equal(events.at(-1), 'checkout.session.completed')
  assert.equal(again.status, 200)
  assert.match(again.text, /This has already been paid/)
  assert.equal((await fixture.stripe.subscriptions.list({ customer })).data.length, 1)
})

test('an expired checkout says so and links back, and an unknown one is 404', async (t) => {
  const fixture = await startPayments(t)
  const { url } = await openCheckout(fixture)

  await fixture.advance(DAY)

  const page = await open(url)
  assert.match(page.text, /This page has expired/)
  assert.match(page.text, /href="http:\/\/localhost:8080\/plans"/)
  assert.equal((await open(`${fixture.simulator.url}/c/pay/cs_test_none`)).status, 404)
})

test('pages escape foreign text and refuse forms of other sites', async (t) => {
  const fixture = await startPayments(t, { payments: { accountName: '<b>Shop</b>' } })
  const { id: product } = await fixture.stripe.products.create({ name: '<script>alert("1")</script>' })
  const price = await fixture.stripe.prices.create({
    product,
    currency: 'brl',
    unit_amount: 100,
    recurring: { interval: 'month' },
  })
  const { id: customer } = await fixture.stripe.customers.create({})
  const { url } = await createCheckout(fixture, price.id, customer)

  const { text } = await open(url!)
  const foreign = await submit(url!, { card: CARDS.visa }, { origin: 'https://evil.example' })
  const own = await submit(url!, { card: CARDS.visa }, { origin: fixture.simulator.url })

  assert.doesNotMatch(text, /<script|<b>/)
  assert.match(text, /&#60;script&#62;alert\(&#34;1&#34;\)&#60;\/script&#62;/)
  assert.equal(foreign.status, 403)
  assert.equal(own.status, 303)
})

test('the portal shows plan, card and invoices, cancels, resumes, and links back', async (t) => {
  const fixture = await startPayments(t)
  const { starter } = await createPrices(fixture)
  const { customer, subscription } = await subscribe(fixture, starter)
  const { url } = await openPortal(fixture, customer)

  const page = await open(url)
  const canceled = await submit(url, { action: 'cancel', subscription })
  const during = await fixture.find('subscriptions', subscription)
  const resumed = await submit(url, { action: 'resume', subscription }, { 'accept-language': 'pt-BR' })

  assert.match(page.text, /1 × Starter, R\$99\.00 per month/)
  assert.match(page.text, /Renews on December 15, 2026/)
  assert.match(page.text, /visa ending in 4242/)
  assert.match(
    page.text,
    /<li>November 15, 2026: <a href="http[^"]+\/i\/in_\w+">\w+-0001<\/a>, R\$99\.00\. Status: paid<\/li>/,
  )
  assert.match(page.text, /<a href="http:\/\/localhost:8080\/billing">Return to/)
  assert.doesNotMatch(page.text, /upgrade|Change plan/i)
  assert.match(canceled.text, /<p role="status">The subscription is canceled/)
  assert.deepEqual([during.status, during.cancel_at === null, during.cancel_at_period_end], ['active', false, false])
  assert.match(resumed.text, /A assinatura continua/)
  assert.equal((await fixture.find('subscriptions', subscription)).cancel_at, null)
})

test('a card saved in the portal becomes the default of the customer and the subscription', async (t) => {
  const fixture = await startPayments(t)
  const { starter } = await createPrices(fixture)
  const { customer, subscription } = await subscribe(fixture, starter, CARDS.declinedLater)
  const { url } = await openPortal(fixture, customer)

  const refused = await submit(url, { action: 'change_card', card: CARDS.declined })
  const saved = await submit(url, { action: 'change_card', card: CARDS.visa })

  assert.equal(refused.status, 402)
  assert.match(refused.text, /<details open>/)
  assert.match(saved.text, /visa ending in 4242/)
  const { default_payment_method } = await fixture.find('subscriptions', subscription)
  const { invoice_settings } = await fixture.find('customers', customer)
  assert.equal(invoice_settings.default_payment_method, default_payment_method)
  const method = await fixture.find('payment_methods', String(default_payment_method))
  assert.equal(method.card?.last4, '4242')
})

test('a portal link expires after five minutes unopened, or after an hour opened', async (t) => {
  const fixture = await startPayments(t)
  const { starter } = await createPrices(fixture)
  const { customer } = await subscribe(fixture, starter)
  const [opened, unopened] = [await openPortal(fixture, customer), await openPortal(fixture, customer)]

  await open(opened.url)
  await fixture.advance(300)
  const [first, second] = [await open(opened.url), await open(unopened.url)]
  await fixture.advance(3_300)

  assert.deepEqual([first.status, second.status], [200, 410])
  assert.equal((await open(opened.url)).status, 410)
})

test('a feature that the configuration disables is neither shown nor run', async (t) => {
  const fixture = await startPayments(t)
  const { stripe } = fixture
  const { starter } = await createPrices(fixture)
  const { customer, subscription } = await subscribe(fixture, starter)
  const { id: configuration } = await stripe.billingPortal.configurations.create({
    features: { invoice_history: { enabled: false } },
  })
  const { url } = await stripe.billingPortal.sessions.create({ customer, configuration })

  const page = await open(url)
  await submit(url, { action: 'cancel', subscription })

  assert.doesNotMatch(page.text, /<form/)
  assert.equal((await fixture.find('subscriptions', subscription)).cancel_at, null)
  await assert.rejects(stripe.billingPortal.sessions.create({ customer }), /No configuration provided/)
  const features = { subscription_update: { enabled: true } }
  await assert.rejects(stripe.billingPortal.configurations.create({ features }), /cannot change plans/)
})

test('an open invoice is paid on its page', async (t) => {
  const fixture = await startPayments(t)
  const { starter } = await createPrices(fixture)
  const { subscription } = await subscribe(fixture, starter, CARDS.declinedLater)
  await fixture.advance(30 * DAY + HOUR)
  const { latest_invoice } = await fixture.find('subscriptions', subscription)
  const url = (await fixture.find('invoices', String(latest_invoice))).hosted_invoice_url!

  const page = await open(url)
  const refused = await submit(url, { with: 'new', card: CARDS.declined })
  const paid = await submit(url, { with: 'new', card: CARDS.visa })

  assert.match(page.text, /1 × Starter/)
  assert.equal(refused.status, 402)
  assert.match(paid.text, /Status: paid/)
  assert.equal((await fixture.find('subscriptions', subscription)).status, 'active')
})
