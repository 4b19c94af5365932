import assert from 'node:assert/strict'
import { test } from 'node:test'
import vm from 'node:vm'
import { es } from '@hubline/locales/pages/simulator/es.ts'
import { type Fixture, startFixture } from '../test/harness.ts'

const ORIGIN = 'http://localhost:8080'

function open(fixture: Fixture, query: string) {
  return fetch(`${fixture.simulator.url}/_sim/signup?${query}`)
}

function submit(fixture: Fixture, form: Record<string, string>) {
  return fetch(`${fixture.simulator.url}/_sim/signup`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: fixture.simulator.url },
    body: new URLSearchParams(form),
  })
}

interface Posted {
  type: string
  event?: string
  status?: string
  authResponse?: { code: string } | null
  data?: {
    waba_id?: string
    phone_number_id?: string
    business_id?: string
    current_step?: string
    error_id?: string
    error_message?: string
  }
}

/** Runs the script of the last page as a browser would, and returns what it posted and whether it closed. */
async function posted(response: Response): Promise<{ messages: Posted[]; origins: string[]; isClosed: boolean }> {
  const script = /<script nonce="[^"]+">([\s\S]*?)<\/script>/.exec(await response.text())?.[1] ?? ''
  const result = { messages: [] as Posted[], origins: [] as string[], isClosed: false }
  const opener = {
    postMessage(data: string, origin: string) {
      result.messages.push(JSON.parse(data) as Posted)
      result.origins.push(origin)
    },
  }
  const close = () => {
    result.isClosed = true
  }
  vm.runInNewContext(script, { window: { opener, close } })
  return result
}

async function exchange(fixture: Fixture, code: string, redirectUri?: string): Promise<string> {
  const query = new URLSearchParams({
    client_id: fixture.simulator.appId,
    client_secret: fixture.simulator.appSecret,
    code,
    ...(redirectUri ? { redirect_uri: redirectUri } : {}),
  })
  const response = await fetch(`${fixture.simulator.url}/oauth/access_token?${query}`)
  const body = (await response.json()) as { access_token: string }
  assert.equal(response.status, 200, JSON.stringify(body))
  return body.access_token
}

test('the page loads its own style sheet alone, is labeled and has a content security policy', async (t) => {
  const fixture = await startFixture(t)

  const response = await open(fixture, `opener_origin=${ORIGIN}`)
  const html = await response.text()

  assert.equal(response.status, 200)
  assert.match(
    response.headers.get('content-security-policy') ?? '',
    /default-src 'none'; style-src 'self'; font-src 'self';/,
  )
  assert.equal(response.headers.get('referrer-policy'), 'same-origin')
  assert.match(html, /<html lang="en">/)
  assert.match(html, /<h1>/)
  const loaded = [...html.matchAll(/<(?:link|script|img)[^>]*(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
  assert.deepEqual(loaded, ['data:,', '/_sim/assets/page.css'])
  for (const name of ['page.css', 'inter.woff2']) {
    assert.equal((await fetch(`${fixture.simulator.url}/_sim/assets/${name}`)).status, 200)
  }
  const ids = [...html.matchAll(/<input type="(?:text|tel)" id="(\w+)"/g)].map((match) => match[1])
  assert.equal(ids.length, 2)
  for (const id of ids) assert.ok(html.includes(`<label for="${id}">`), id)
  assert.ok(html.includes('Padaria São João, +55 11 98765-4321'))
})

for (const [lang, accepted, expected] of [
  [undefined, 'es-419,es;q=0.9', 'Conecta un número'],
  [undefined, 'es;q=0.1, pt;q=0.9', 'Conecte um número'],
  ['pt-BR', 'es', 'Conecte um número'],
  ['xx', 'es', 'Conecta un número'],
  ['"><script>alert(1)</script>', 'ja', 'Connect a number'],
] as const) {
  test(`the language of the page for lang=${lang} and the header "${accepted}" has the title "${expected}"`, async (t) => {
    const fixture = await startFixture(t)
    const query = new URLSearchParams({ opener_origin: ORIGIN, ...(lang && { lang }) })

    const response = await fetch(`${fixture.simulator.url}/_sim/signup?${query}`, {
      headers: { 'accept-language': accepted },
    })
    const html = await response.text()

    assert.ok(html.includes(`<h1>${expected}</h1>`), html)
    assert.doesNotMatch(html, /<script/)
  })
}

test('the result of the form is in the language that was chosen for it, and so is the message of a failure', async (t) => {
  const fixture = await startFixture(t)

  const form = await (await open(fixture, `opener_origin=${ORIGIN}&lang=es`)).text()
  const response = await submit(fixture, { opener_origin: ORIGIN, outcome: 'error', lang: 'es' })
  const result = await response.clone().text()
  const { messages } = await posted(response)

  assert.match(form, /<input type="hidden" name="lang" value="es">/)
  assert.ok(result.includes('<html lang="es">') && result.includes(es.closeWindow), result)
  assert.doesNotMatch(result, /<nav>/)
  assert.equal(messages[0]?.data?.error_message, es.notVerified)
})

test('the page needs one destination on a loopback or allowed origin', async (t) => {
  const fixture = await startFixture(t, { allowedOrigins: ['https://hub.example'] })

  for (const query of [
    '',
    'opener_origin=https://evil.example',
    'redirect_uri=https://evil.example/done',
    'redirect_uri=javascript:alert(1)',
    'opener_origin=nonsense',
    `opener_origin=${ORIGIN}&redirect_uri=${ORIGIN}/done`,
    'opener_origin=http://localhost.evil.example',
  ]) {
    assert.equal((await open(fixture, query)).status, 400, query)
  }
  for (const query of [
    'opener_origin=http://127.0.0.1:8080',
    'redirect_uri=https://hub.example/connect',
    `opener_origin=${ORIGIN}`,
  ]) {
    assert.equal((await open(fixture, query)).status, 200, query)
  }
  const forged = await submit(fixture, { opener_origin: 'https://evil.example', outcome: 'finish' })
  assert.equal(forged.status, 400)
})

test('parameters are escaped in the markup of the page', async (t) => {
  const fixture = await startFixture(t)
  const state = '"><script>alert(1)</script>'

  const html = await (await open(fixture, `opener_origin=${ORIGIN}&state=${encodeURIComponent(state)}`)).text()

  assert.ok(!html.includes('<script>alert'))
  assert.ok(html.includes('&#34;&#62;&#60;script&#62;'))
})

test('a finished sign-up posts the session and a valid code to the opener’s origin only', async (t) => {
  const fixture = await startFixture(t)

  const { messages, origins, isClosed } = await posted(
    await submit(fixture, {
      opener_origin: ORIGIN,
      outcome: 'finish',
      number: 'new',
      business_name: 'Livraria </script>',
    }),
  )

  const [session, login] = messages
  assert.deepEqual(origins, [ORIGIN, ORIGIN])
  assert.ok(isClosed)
  assert.deepEqual([session?.type, session?.event], ['WA_EMBEDDED_SIGNUP', 'FINISH'])
  assert.deepEqual([login?.type, login?.status], ['SIMULATED_LOGIN_RESPONSE', 'connected'])
  const token = await exchange(fixture, login?.authResponse?.code ?? '')
  const numbers = await fixture.graph(
    'GET',
    `/${session?.data?.waba_id}/phone_numbers?fields=verified_name,status`,
    undefined,
    {
      authorization: `Bearer ${token}`,
    },
  )
  assert.deepEqual(numbers.body.data, [
    { verified_name: 'Livraria </script>', status: 'PENDING', id: session?.data?.phone_number_id },
  ])
})

test('a sign-up sends PARTNER_ADDED under the partner’s business id', async (t) => {
  const fixture = await startFixture(t)

  const { messages } = await posted(await submit(fixture, { opener_origin: ORIGIN, outcome: 'finish' }))

  const entry = fixture.receiver.posts[0]?.body.entry[0]
  const value = entry?.changes[0]?.value as { event: string; waba_info: { waba_id: string } }
  assert.equal(value.event, 'PARTNER_ADDED')
  assert.equal(value.waba_info.waba_id, messages[0]?.data?.waba_id)
  assert.notEqual(entry?.id, value.waba_info.waba_id)
})

test('an existing number can be chosen', async (t) => {
  const fixture = await startFixture(t)

  const { messages } = await posted(
    await submit(fixture, { opener_origin: ORIGIN, outcome: 'finish', number: fixture.phoneId }),
  )

  assert.equal(messages[0]?.data?.waba_id, fixture.wabaId)
  assert.equal(messages[0]?.data?.phone_number_id, fixture.phoneId)
})

test('a coexistence sign-up returns only the account, and the number stays on the business app', async (t) => {
  const fixture = await startFixture(t)

  const { messages } = await posted(await submit(fixture, { opener_origin: ORIGIN, outcome: 'coexistence' }))

  const [session, login] = messages
  assert.equal(session?.event, 'FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING')
  assert.deepEqual(Object.keys(session?.data ?? {}), ['waba_id'])
  const authorization = `Bearer ${await exchange(fixture, login?.authResponse?.code ?? '')}`
  const path = `/${session?.data?.waba_id}/phone_numbers?fields=is_on_biz_app,platform_type,status`
  const [number] = (await fixture.graph('GET', path, undefined, { authorization })).body.data as unknown as [
    Record<string, unknown>,
  ]
  assert.deepEqual([number.is_on_biz_app, number.platform_type, number.status], [true, 'CLOUD_API', 'CONNECTED'])
})

test("an account without a number, a cancellation and an error have the platform's messages", async (t) => {
  const fixture = await startFixture(t)
  const finish = async (outcome: string) =>
    (await posted(await submit(fixture, { opener_origin: ORIGIN, outcome }))).messages

  const [only] = await finish('only_account')
  assert.equal(only?.event, 'FINISH_ONLY_WABA')
  assert.equal(only?.data?.phone_number_id, undefined)
  const [canceled, noLogin] = await finish('cancel')
  assert.deepEqual([canceled?.event, canceled?.data?.current_step], ['CANCEL', 'PHONE_NUMBER_SETUP'])
  assert.deepEqual([noLogin?.status, noLogin?.authResponse], ['unknown', null])
  const [failed] = await finish('error')
  assert.deepEqual([failed?.event, failed?.data?.error_id], ['CANCEL', '524126'])
})

test('a redirect has the result in its query, and the code is bound to the redirect_uri', async (t) => {
  const fixture = await startFixture(t)
  const redirectUri = `${ORIGIN}/connect/abc`

  const response = await submit(fixture, { redirect_uri: redirectUri, state: 's1', outcome: 'finish' })

  assert.equal(response.status, 303)
  const location = new URL(response.headers.get('location') ?? '')
  assert.equal(location.origin + location.pathname, redirectUri)
  const params = Object.fromEntries(location.searchParams)
  assert.deepEqual([params.event, params.state], ['FINISH', 's1'])
  assert.ok(params.waba_id && params.phone_number_id)
  await assert.rejects(exchange(fixture, params.code ?? ''))
  await exchange(fixture, params.code ?? '', redirectUri)
  const canceled = await submit(fixture, { redirect_uri: redirectUri, outcome: 'cancel' })
  assert.match(canceled.headers.get('location') ?? '', /error=access_denied/)
})

test('signing up again restores a removed account and allows the syncs again', async (t) => {
  const fixture = await startFixture(t)
  const number = { coexistence: true }
  const { phone_number_id: phoneId } = await fixture.control<{ phone_number_id: string }>(
    'POST',
    `/accounts/${fixture.wabaId}/numbers`,
    number,
  )
  const sync = () =>
    fixture.graph('POST', `/${phoneId}/smb_app_data`, { messaging_product: 'whatsapp', sync_type: 'history' })
  assert.equal((await sync()).status, 200)
  await fixture.control('POST', `/accounts/${fixture.wabaId}/events`, { event: 'disconnect' })
  assert.equal((await sync()).body.error.error_subcode, 33)

  await submit(fixture, { opener_origin: ORIGIN, outcome: 'finish', number: phoneId })

  assert.equal((await sync()).status, 200)
})
