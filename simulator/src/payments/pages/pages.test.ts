import assert from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { type Bench, CARDS, checkout, DAY, invoiceOf, openShop, startBench, subscribe } from '../test/bench.ts'

async function look(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function press(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields)
  const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

async function openPortal(
  bench: Bench,
  customer: string,
  more: Partial<Stripe.BillingPortal.SessionCreateParams> = {},
) {
  const configuration = await bench.stripe.billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: { enabled: false },
    },
  })
  const return_url = 'http://localhost:8080/billing'
  return bench.stripe.billingPortal.sessions.create({ customer, configuration: configuration.id, return_url, ...more })
}

test('the checkout page says what is bought for how much, in English and in Portuguese', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { id: customer } = await bench.stripe.customers.create({ email: 'maria@example.com' })
  const { url } = await checkout(bench, starter, customer)

  const english = await look(url!)
  const portuguese = await look(url!, { 'accept-language': 'de, pt-BR;q=0.9, en;q=0.8' })

  assert.equal(english.status, 200)
  assert.match(english.text, /<html lang="en">/)
  assert.match(english.text, /<td>Starter<\/td>/)
  assert.match(english.text, /R\$99\.00 per month/)
  assert.match(english.text, /<a href="http:\/\/localhost:8080\/plans">Cancel and go back<\/a>/)
  assert.match(portuguese.text, /<html lang="pt-BR">/)
  assert.match(portuguese.text, /R\$\s99,00 por mês/)
  assert.match(english.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'nonce-/)
  // Every field has a label, and nothing comes from elsewhere.
  for (const [, id] of english.text.matchAll(/<input id="(\w+)"/g))
    assert.match(english.text, new RegExp(`for="${id}"`))
  assert.doesNotMatch(english.text, /<script|<link|<img|src=/)
})

test('a good card leads to the success address with the session in it', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { id: customer } = await bench.stripe.customers.create({})
  const { id, url } = await checkout(bench, starter, customer)

  const paid = await press(url!, { card: CARDS.good, email: 'maria@example.com' })
  const again = await press(url!, { card: CARDS.good })

  assert.deepEqual([paid.status, paid.location], [303, `http://localhost:8080/done?session=${id}`])
  // The webhooks were there before the person was sent back.
  assert.equal(bench.arrived().at(-1), 'checkout.session.completed')
  assert.equal(again.status, 200)
  assert.match(again.text, /This has already been paid/)
  assert.equal((await bench.stripe.subscriptions.list({ customer })).data.length, 1)
})

test('a declined card is said in words, at the field it is about', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { id: customer } = await bench.stripe.customers.create({})
  const { url } = await checkout(bench, starter, customer)

  const declined = await press(url!, { card: CARDS.declined }, { 'accept-language': 'pt' })
  const wrong = await press(url!, { card: '4242' })

  assert.equal(declined.status, 402)
  assert.match(declined.text, /<p role="alert" id="problem">Seu cartão foi recusado/)
  assert.match(declined.text, /id="card"[^>]* aria-invalid="true" aria-describedby="problem" autofocus/)
  assert.match(wrong.text, /Your card number is incorrect/)
})

test('a page that has expired says so, and shows the way back', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { id: customer } = await bench.stripe.customers.create({})
  const { url } = await checkout(bench, starter, customer)

  await bench.advance(DAY)

  const page = await look(url!)
  assert.match(page.text, /This page has expired/)
  assert.match(page.text, /href="http:\/\/localhost:8080\/plans"/)
  assert.equal((await look(`${bench.simulator.url}/c/pay/cs_test_none`)).status, 404)
})

test('text from outside cannot become a part of a page, and forms of other sites are turned away', async (t) => {
  const bench = await startBench(t, { payments: { accountName: '<b>Shop</b>' } })
  const price = await bench.stripe.prices.create({
    ...{ currency: 'brl', unit_amount: 100, recurring: { interval: 'month' } },
    product_data: { name: '<script>alert(1)</script>' },
  })
  const { id: customer } = await bench.stripe.customers.create({ email: '"><i>@example.com' })
  const { url } = await checkout(bench, price.id, customer)

  const { text } = await look(url!)
  const foreign = await press(url!, { card: CARDS.good }, { origin: 'https://evil.example' })
  const own = await press(url!, { card: CARDS.good }, { origin: bench.simulator.url })

  assert.doesNotMatch(text, /<script|<b>|<i>/)
  assert.match(text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
  assert.equal(foreign.status, 403)
  assert.equal(own.status, 303)
})

test('the portal shows plan, card and invoices, cancels, resumes, and leads back', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)
  const { url } = await openPortal(bench, customer)

  const page = await look(url)
  const canceled = await press(url, { action: 'cancel', subscription })
  const during = await bench.stripe.subscriptions.retrieve(subscription)
  const resumed = await press(url, { action: 'resume', subscription }, { 'accept-language': 'pt-BR' })

  assert.match(page.text, /1 × Starter, R\$99\.00 per month/)
  assert.match(page.text, /Renews on December 15, 2026/)
  assert.match(page.text, /visa ending in 4242/)
  assert.match(page.text, /-0001<\/a><\/td><td>paid<\/td><td class="amount">R\$99\.00/)
  assert.match(page.text, /<a href="http:\/\/localhost:8080\/billing">Return to/)
  assert.doesNotMatch(page.text, /upgrade|Change plan/i)
  assert.match(canceled.text, /<p role="status">The subscription is canceled/)
  assert.deepEqual([during.status, during.cancel_at === null, during.cancel_at_period_end], ['active', false, false])
  assert.match(resumed.text, /A assinatura continua/)
  assert.equal((await bench.stripe.subscriptions.retrieve(subscription)).cancel_at, null)
})

test('the portal takes another card, for the subscription as well as the customer', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter, CARDS.laterDeclined)
  const { url } = await openPortal(bench, customer)

  const refused = await press(url, { action: 'change_card', card: CARDS.declined })
  const saved = await press(url, { action: 'change_card', card: '5555 5555 5555 4444' })

  assert.equal(refused.status, 402)
  assert.match(refused.text, /<details open>/)
  assert.match(saved.text, /mastercard ending in 4444/)
  const { default_payment_method } = await bench.stripe.subscriptions.retrieve(subscription, {
    expand: ['default_payment_method'],
  })
  assert.ok(default_payment_method && typeof default_payment_method === 'object')
  assert.equal(default_payment_method.card?.last4, '4444')
})

test('a portal link that nobody opens dies after five minutes, an open one after an hour', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { customer } = await subscribe(bench, starter)
  const [opened, unopened] = [await openPortal(bench, customer), await openPortal(bench, customer)]

  await look(opened.url)
  await bench.advance(300)
  const [first, second] = [await look(opened.url), await look(unopened.url)]
  await bench.advance(3_300)

  assert.deepEqual([first.status, second.status], [200, 410])
  assert.equal((await look(opened.url)).status, 410)
})

test('a flow shows its one thing and returns when it is done', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)
  const { url } = await openPortal(bench, customer, {
    flow_data: {
      type: 'subscription_cancel',
      subscription_cancel: { subscription },
      after_completion: { type: 'redirect', redirect: { return_url: 'http://localhost:8080/bye' } },
    },
  })

  const page = await look(url)
  const done = await press(url, { action: 'cancel', subscription })

  assert.doesNotMatch(page.text, /Payment method|Invoices/)
  assert.deepEqual([done.status, done.location], [303, 'http://localhost:8080/bye'])
})

test('what a configuration leaves off is neither shown nor done', async (t) => {
  const bench = await startBench(t)
  const { stripe } = bench
  const { starter } = await openShop(bench)
  const { customer, subscription } = await subscribe(bench, starter)
  const { id: configuration } = await stripe.billingPortal.configurations.create({
    features: { invoice_history: { enabled: false } },
  })
  const { url } = await stripe.billingPortal.sessions.create({ customer, configuration })

  const page = await look(url)
  await press(url, { action: 'cancel', subscription })

  assert.doesNotMatch(page.text, /<form/)
  assert.equal((await stripe.subscriptions.retrieve(subscription)).cancel_at, null)
  await assert.rejects(stripe.billingPortal.sessions.create({ customer }), /No configuration provided/)
  const features = { subscription_update: { enabled: true } }
  await assert.rejects(stripe.billingPortal.configurations.create({ features }), /cannot change plans/)
})

test('an open invoice is paid on its own page', async (t) => {
  const bench = await startBench(t)
  const { starter } = await openShop(bench)
  const { subscription } = await subscribe(bench, starter, CARDS.laterDeclined)
  await bench.advance(30 * DAY + 3_600)
  const overdue = await bench.stripe.subscriptions.retrieve(subscription, { expand: ['latest_invoice'] })
  const url = invoiceOf(overdue).hosted_invoice_url!

  const page = await look(url)
  const refused = await press(url, { with: 'new', card: CARDS.declined })
  const paid = await press(url, { with: 'new', card: CARDS.good })

  assert.match(page.text, /1 × Starter/)
  assert.equal(refused.status, 402)
  assert.match(paid.text, /Status: paid/)
  assert.equal((await bench.stripe.subscriptions.retrieve(subscription)).status, 'active')
})
