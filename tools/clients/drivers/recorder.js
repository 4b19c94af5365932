import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'

/** The things that the run has made for the drivers; their type is `World` in tools/clients/world.ts. */
export const world = JSON.parse(readFileSync(process.env.CLIENT_WORLD, 'utf8'))

/** The name of a template that only this driver uses. */
export const ownTemplate = `ready_${process.env.CLIENT_NAME.replaceAll(/\W+/g, '_').toLowerCase()}`

/** Contacts of this run that were not written to: the upstream limits how often one contact is. */
let contacts = 5_511_900_000_000 + (Date.now() % 10_000_000) * 10

export function newContact() {
  contacts += 1
  return String(contacts)
}

export function readFile(kind) {
  const { path, type } = world.files[kind]
  return { path, type, bytes: readFileSync(path) }
}

/** The bytes and the signature header of a delivery of this kind: text, image or status. */
export function findDelivery(kind) {
  const { body, signature } = world.webhook.deliveries.find((one) => one.kind === kind)
  return { rawBody: Buffer.from(body, 'base64'), signature }
}

/** Makes a call of the client. It works if it does not throw, and if `check` accepts its result. */
export async function call(name, make, check = () => true) {
  try {
    const result = await make()
    const works = Boolean(await check(result))
    report(name, works, works ? '' : `unexpected result: ${describe(result)}`)
    return result
  } catch (err) {
    report(name, false, describe(err))
    return undefined
  }
}

/**
 * Makes calls that the hub must refuse, one of each kind. Each works if `readCode` finds the code in the client's own
 * error, which the client throws, or returns as its result.
 * `send({ token, phoneNumberId, to })` sends a text, `sendTemplate(name)` a template.
 */
export async function callRefused({ send, sendTemplate, listTemplates }, readCode) {
  const { sendOnly, disconnected, ...main } = world
  const kinds = [
    ['wrong token', 190, () => send({ ...main, token: `${main.token}x` })],
    ['number of another channel', 100, () => send({ ...main, phoneNumberId: sendOnly.phoneNumberId })],
    ['bad parameter', 131009, () => send({ ...main, to: '1' })],
    ['number not connected', 133010, () => send(disconnected)],
    ['limit', 130429, () => send(main), { kind: 'throttle', code: 130429 }],
    // The upstream accepts the message, and its answer does not say so.
    ['unknown outcome', 135000, () => send(main), { kind: 'error_after', status: 500, code: 131000 }],
  ]
  if (listTemplates) kinds.push(['missing scope', 10, () => listTemplates(sendOnly)])
  if (sendTemplate) kinds.push(['unknown template', 132001, () => sendTemplate('not_there')])
  for (const [kind, code, make, fault] of kinds) {
    if (fault) await control('POST', '/faults', { path: '/messages', times: 1, ...fault })
    const outcome = await Promise.resolve()
      .then(make)
      .catch((err) => err)
    report(`refusal: ${kind}`, (await readCode(outcome)) === code, `expected ${code}: ${describe(outcome)}`)
    if (fault) await control('DELETE', '/faults')
  }
}

/** Calls the control API of the simulated upstream. */
export async function control(method, path, body) {
  const response = await fetch(`${world.simulator}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`The simulator refused ${method} ${path}: ${await response.text()}`)
}

/** Puts the address of the hub in the place of Meta's, for clients that have the latter as a constant. */
export function toHub(url) {
  return String(url).replace('https://graph.facebook.com', world.graph)
}

function report(name, works, problem) {
  process.stdout.write(`${JSON.stringify({ name, works, ...(!works && { problem }) })}\n`)
}

function describe(outcome) {
  return outcome instanceof Error ? `${outcome.name}: ${outcome.message}` : inspect(outcome, { depth: 4 }).slice(0, 400)
}
