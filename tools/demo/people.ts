import { DemoError } from './demo-error.ts'

type Target = { url: string; simulatorUrl: string }
type WindowMessage = { data?: { waba_id?: string; phone_number_id?: string }; authResponse?: { code: string } }

/** Fills in the simulated sign-up as the owner of the number, and posts its result as the connect page does. */
export async function signUp({ url, simulatorUrl }: Target, connectUrl: string, signal: AbortSignal): Promise<void> {
  await request('the connect page', connectUrl, { signal })
  const form = new URLSearchParams({
    opener_origin: new URL(url).origin,
    number: 'new',
    business_name: 'Padaria São João',
    outcome: 'finish',
  })
  const page = await request('the sign-up', `${simulatorUrl}/_sim/signup`, { method: 'POST', body: form, signal })
  const [session, login] = readWindowMessages(page)
  const { waba_id, phone_number_id } = session?.data ?? {}
  const body = JSON.stringify({ code: login?.authResponse?.code, waba_id, phone_number_id, pin: '123456' })
  const token = new URL(connectUrl).pathname.split('/').at(-1)
  const headers = { 'content-type': 'application/json' }
  await request('the connection', `${url}/api/v1/connect/${token}`, { method: 'POST', headers, body, signal })
}

/** The last page of a sign-up posts two messages to the window that opened it. */
function readWindowMessages(page: string): WindowMessage[] {
  const [, messages] = /const messages = (\[.*\])/.exec(page) ?? []
  if (messages === undefined) throw new DemoError('The sign-up page has no result.')
  return JSON.parse(messages).map((text: string) => JSON.parse(text))
}

/** A customer writes to the business. */
export async function writeAsCustomer(
  { simulatorUrl }: Target,
  { from, to, text }: { from: string; to: string; text: string },
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify({ to, type: 'text', text: { body: text } })
  const url = `${simulatorUrl}/_sim/contacts/${from}/messages`
  await request("the customer's message", url, { method: 'POST', body, signal })
}

async function request(what: string, url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new DemoError(`The answer to ${what} is ${response.status}: ${text.slice(0, 500)}`)
  return text
}
