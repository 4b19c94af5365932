import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProviderUrl } from './provider-url.ts'

const SIMULATOR = 'http://127.0.0.1:8081'

test('an address is kept if it is https at the provider, or at the simulator where that is the provider', {
  rules: ['billing.invoice-links-are-the-providers'],
}, () => {
  const cases: [text: string | null | undefined, simulatorUrl: string | undefined, isKept: boolean][] = [
    ['https://invoice.stripe.com/i/acct_1/x?s=ap', undefined, true],
    ['https://pay.stripe.com/invoice/x/pdf', undefined, true],
    ['https://stripe.com/x', undefined, true],
    ['http://invoice.stripe.com/i/x', undefined, false],
    ['https://invoice.stripe.com:8443/i/x', undefined, false],
    ['https://invoice.stripe.com.example.com/i/x', undefined, false],
    ['https://evilstripe.com/i/x', undefined, false],
    ['https://ana:secret@invoice.stripe.com/i/x', undefined, false],
    ['javascript:alert(1)//stripe.com', undefined, false],
    ['not a url', undefined, false],
    ['', undefined, false],
    [null, undefined, false],
    [undefined, undefined, false],
    [`${SIMULATOR}/i/in_1`, SIMULATOR, true],
    [`${SIMULATOR}/i/in_1`, undefined, false],
    ['http://127.0.0.1:8082/i/in_1', SIMULATOR, false],
    ['https://invoice.stripe.com/i/x', SIMULATOR, false],
  ]

  for (const [text, simulatorUrl, isKept] of cases) {
    assert.equal(readProviderUrl(text, simulatorUrl), isKept ? text : null, `${text} with ${simulatorUrl}`)
  }
})
