import { preferredLanguage, TRANSLATIONS } from './translations.js'

const SDK_URL = 'https://connect.facebook.net/en_US/sdk.js'
const SIGNUP_FAILED = ['CANCEL', 'ERROR']

const element = (id) => document.getElementById(id)
const panels = ['loading', 'open', 'choice', 'pin', 'busy', 'done', 'over']

let texts = TRANSLATIONS.en
let link
/** What is sent to connect: the code from the login, the account and number from the session message, later a PIN. */
let outcome = {}
/** What is said at the moment beside the fixed texts, as functions: the language may change under them. */
let problem
let ending

const token = takeToken()
element('language').addEventListener('change', (event) => speak(event.target.value))
element('start').addEventListener('click', start)
element('retry').addEventListener('click', load)
element('choice').addEventListener('submit', chooseNumber)
element('pin').addEventListener('submit', givePin)
window.addEventListener('message', receive)
speak(preferredLanguage(navigator.languages))
load()

/** The link leaves the address bar: a screenshot, a history or a shared screen must not give it away. */
function takeToken() {
  const found = /^\/connect\/([^/]+)$/.exec(location.pathname)?.[1]
  if (found) history.replaceState(null, '', '/connect')
  return found
}

function speak(language) {
  texts = TRANSLATIONS[language]
  document.documentElement.lang = language
  element('language').value = language
  for (const place of document.querySelectorAll('[data-text]')) place.textContent = texts[place.dataset.text]
  document.title = `${texts.title} · Hubline`
  if (link) element('expires').textContent = dateText(link.expires_at)
  if (problem) element('problem').textContent = problem()
  ending?.()
}

/** Focus goes to what is to be done next, or to the heading where there is nothing to do but read. */
function show(panel) {
  for (const id of panels) element(id).hidden = id !== panel
  element('problem').hidden = true
  problem = undefined
  const place = element(panel)
  const next = place.querySelector('input, button:not([hidden])') ?? place.querySelector('h1')
  next?.focus()
}

function complain(say, requestId) {
  problem = () => (requestId ? `${say()} (${texts.reference}: ${requestId})` : say())
  element('problem').textContent = problem()
  element('problem').hidden = false
}

async function load() {
  show('loading')
  const answer = token ? await ask('GET') : { error: { code: 'no_token' } }
  if (answer.error) return end(answer.error)
  link = answer.data
  element('channel').textContent = link.channel_name
  element('expires').dateTime = link.expires_at
  element('expires').title = link.expires_at
  element('expires').textContent = dateText(link.expires_at)
  if (link.mode === 'embedded_signup') loadSdk()
  show('open')
}

async function ask(method, body) {
  try {
    const response = await fetch(`/api/v1/connect/${token}`, {
      method,
      referrerPolicy: 'no-referrer',
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })
    return await response.json()
  } catch {
    return { error: { code: 'offline' } }
  }
}

/** The code lives for half a minute, so what is sent is sent at once. */
async function connect() {
  show('busy')
  const answer = await ask('POST', outcome)
  if (answer.error) return recover(answer.error)
  element('number').textContent = answer.data.channel.display_phone_number ?? ''
  element('verified').textContent = answer.data.channel.verified_name ?? ''
  show('done')
}

/** A number to choose or a PIN to give goes on with the same code; everything else is said, and may be tried again. */
function recover(error) {
  if (Array.isArray(texts[error.code])) return end(error)
  const { choices, pin_required: pinRequired } = error.details ?? {}
  if (choices?.length > 1) return offer(choices)
  if (pinRequired) return show('pin')
  // The sign-up is not to be gone through again for a mistyped PIN.
  const isAboutPin = error.details?.step === 'register' && outcome.pin !== undefined
  show(isAboutPin ? 'pin' : 'open')
  complain(() => texts[error.code] ?? texts[error.details?.step] ?? error.message, error.request_id)
}

/** The codes that end a link have their own page; anything else may be over in a moment, and can be tried again. */
function end(error) {
  const isFinal = Array.isArray(texts[error.code])
  ending = () => {
    const [title, text] = isFinal ? texts[error.code] : [texts.trouble, texts[error.code] ?? error.message]
    element('over-title').textContent = title
    element('over-text').textContent = text
  }
  ending()
  element('retry').hidden = isFinal
  show('over')
  if (!isFinal && error.request_id) complain(() => texts.reference_only, error.request_id)
}

function offer(choices) {
  const rows = choices.map(({ phone_number_id: id, display_phone_number: number, verified_name: name }, index) => {
    const label = document.createElement('label')
    const radio = Object.assign(document.createElement('input'), { type: 'radio', name: 'number', value: id })
    radio.checked = index === 0
    label.append(radio, ` ${number ?? id} ${name ?? ''}`)
    return label
  })
  element('choices').replaceChildren(element('choices').querySelector('legend'), ...rows)
  show('choice')
}

function chooseNumber(event) {
  event.preventDefault()
  outcome.phone_number_id = new FormData(event.target).get('number')
  connect()
}

function givePin(event) {
  event.preventDefault()
  const pin = element('pin-input').value
  if (!/^\d{6}$/.test(pin)) {
    complain(() => texts.pin_wrong)
    return element('pin-input').focus()
  }
  outcome.pin = pin
  connect()
}

function start() {
  outcome = {}
  show('open')
  if (link.mode === 'embedded_signup') return login()
  const address = new URL(link.signup_url)
  address.searchParams.set('opener_origin', location.origin)
  if (!window.open(address, 'signup', 'width=640,height=760')) complain(() => texts.popup)
}

/** Both signs of success are needed, and they come in either order. A sign-up that failed has neither. */
function proceed() {
  if (outcome.code && outcome.waba_id) connect()
}

function receive(event) {
  if (!isSignup(event.origin)) return
  const message = parse(event.data)
  if (message?.type === 'WA_EMBEDDED_SIGNUP') {
    if (SIGNUP_FAILED.includes(message.event)) return cancel(message.data?.error_message)
    outcome = { ...outcome, waba_id: message.data.waba_id, phone_number_id: message.data.phone_number_id }
    proceed()
  } else if (link.mode === 'sandbox' && message?.type === 'SIMULATED_LOGIN_RESPONSE') {
    finishLogin(message)
  }
}

function isSignup(origin) {
  if (!link) return false
  if (link.mode === 'sandbox') return origin === new URL(link.signup_url).origin
  return /^https:\/\/([a-z-]+\.)*facebook\.com$/.test(origin)
}

function parse(data) {
  try {
    return typeof data === 'string' ? JSON.parse(data) : data
  } catch {
    return undefined
  }
}

function finishLogin(response) {
  const code = response?.authResponse?.code
  // A failed sign-up ends twice, and only its first word has the reason.
  if (!code) return problem ? undefined : cancel()
  outcome.code = code
  proceed()
}

function cancel(reason) {
  outcome = {}
  show('open')
  complain(() => reason ?? texts.canceled)
}

function loadSdk() {
  window.fbAsyncInit = () => {
    window.FB.init({ appId: link.app_id, version: link.graph_version, autoLogAppEvents: false, xfbml: false })
  }
  document.head.append(Object.assign(document.createElement('script'), { src: SDK_URL, async: true }))
}

function login() {
  if (!window.FB) return complain(() => texts.offline)
  window.FB.login(finishLogin, {
    config_id: link.config_id,
    response_type: 'code',
    override_default_response_type: true,
    extras: { setup: {}, sessionInfoVersion: '3' },
  })
}

function dateText(iso) {
  return new Date(iso).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
}
