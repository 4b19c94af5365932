import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '@hubline/locales/languages.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { PlanChangePreview } from '../plan-changes/service.ts'
import { renderChangedPage, renderErrorPage, renderPlanPage, renderReturnPage } from './render.ts'
import { TRANSLATIONS } from './translations.ts'

const CHANGE: PlanChangePreview = {
  from: 'starter',
  to: 'pro',
  addons: 2,
  amountDue: 12_345,
  currency: 'brl',
  recurring: { amount: 38_700, interval: 'month', intervalCount: 1 },
  channels: { used: 4, limit: 22 },
  prorationDate: '2026-11-15T10:00:00.000Z',
}

function readText(html: string): string {
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

test('the plan page shows both plans, the charge of today and the new monthly price in the format of the language', () => {
  assert.match(
    readText(renderPlanPage('en', CHANGE)),
    /Starter .*Pro .*connections.* 2 Channels 4 in use, room for 22 Charged now R\$123\.45 Then R\$387\.00 per month/,
  )
  assert.match(
    readText(renderPlanPage('pt-BR', CHANGE)),
    /Starter .*Pro .*adicionais.* 2 Canais 4 em uso, limite de 22 Cobrado agora R\$\s?123,45 Depois R\$\s?387,00 por mês/,
  )
})

test('a credit is labeled as such and shown without a sign', () => {
  const page = readText(renderPlanPage('en', { ...CHANGE, amountDue: -500 }))

  assert.match(page, /Credited now R\$5\.00/)
  assert.doesNotMatch(page, /-/)
})

test('an amount in a currency without minor units has no decimals', () => {
  assert.match(readText(renderPlanPage('en', { ...CHANGE, amountDue: 500, currency: 'jpy' })), /¥500/)
})

test('the page of an unpaid change links to the invoice', () => {
  const amount = { amountDue: 100, currency: 'brl', plan: 'pro', channels: 22, webhookEndpoints: 100 } as const
  const unpaid = renderChangedPage('en', { ...amount, isApplied: false, payUrl: 'https://pay.example/?a=1&b="2"' })

  assert.match(unpaid, /did not go through/)
  assert.match(unpaid, /href="https:\/\/pay\.example\/\?a=1&amp;b=&quot;2&quot;"/)
  assert.doesNotMatch(renderChangedPage('en', { ...amount, isApplied: true, payUrl: null }), /href="https/)
})

test('the page of a change says what the person has now, and what was paid or credited', () => {
  const has = {
    isApplied: true,
    payUrl: null,
    currency: 'brl',
    plan: 'pro',
    channels: 22,
    webhookEndpoints: 100,
  } as const

  const [paid, credited, free] = [12_345, -500, 0].map((amountDue) =>
    readText(renderChangedPage('en', { ...has, amountDue })),
  )

  const room = 'The Pro plan has room for 22 channels and 100 webhook endpoints.'
  assert.ok(paid?.includes(`${room} R$123.45 was paid.`), paid)
  assert.ok(credited?.includes(`${room} R$5.00 was credited.`), credited)
  assert.ok(free?.includes(room) && !/paid|credited/.test(free), free)
})

test('an error with several causes names its cause in the language of the page', () => {
  const error = new AppError('CHECKOUT_NOT_ALLOWED', 'plan_with_fewer_connections', { parameters: { maximum: 20 } })

  const pages = LANGUAGES.map((language) => readText(renderErrorPage(language, error, 'r')))

  assert.match(pages[0] ?? '', /That plan allows up to 20 additional connections/)
  assert.match(pages[1] ?? '', /Esse plano permite até 20 conexões adicionais/)
  assert.match(pages[2] ?? '', /Ese plan permite hasta 20 conexiones adicionales/)
})

test('text in an error message is escaped', () => {
  const error = new AppError('CHECKOUT_NOT_ALLOWED', 'same_plan', {
    parameters: { plans: '<script>alert(1)</script>' },
  })

  assert.doesNotMatch(renderErrorPage('en', error, 'r'), /<script/)
})

test('the page of a server error shows the request id and not the message', () => {
  const page = renderErrorPage(
    'en',
    new AppError('UPSTREAM_UNAVAILABLE', 'step_unavailable', { parameters: { step: 'sk_test_secret' } }),
    'the-request',
  )

  assert.match(page, /the-request/)
  assert.doesNotMatch(page, /sk_test/)
})

test('every page is complete in every language and loads only the stylesheet of the pages', () => {
  for (const language of LANGUAGES) {
    const bought = { plan: 'pro', amount: 34_900, currency: 'brl', channels: 20, webhookEndpoints: 100 } as const
    for (const page of [
      renderPlanPage(language, CHANGE),
      renderReturnPage(language),
      renderReturnPage(language, 'canceled'),
      renderReturnPage(language, bought),
    ]) {
      assert.match(page, new RegExp(`<html lang="${language}">`))
      assert.deepEqual(page.match(/<(?:link|script|img)[^>]* (?:src|href)="\/[^"]*"/g), [
        '<link rel="stylesheet" href="/assets/page.css"',
      ])
      assert.doesNotMatch(page, /<script|style=|undefined/)
    }
    assert.deepEqual(Object.keys(TRANSLATIONS[language].errors), Object.keys(TRANSLATIONS.en.errors))
  }
})
