import { findPreferredLanguage } from './languages.js'
import { INTL_LOCALES, TRANSLATIONS } from './translations.js'

const SDK_URL = 'https://connect.facebook.net/en_US/sdk.js'
const SIGNUP_FAILED = ['CANCEL', 'ERROR']

const element = (id) => document.getElementById(id)
const panels = ['loading', 'open', 'choice', 'pin', 'busy', 'done', 'over']

let texts = TRANSLATIONS.en
let link
/** The body of the connect request: the code of the login, account and number of the sign-up message, later a PIN. */
let signUp = {}
/** The texts that are shown now, as functions, because the language may change. */
let problem
let ending
/** The languages of the reader, the preferred one first: that of `?lang=` before those of the browser. */
let languages = [new URLSearchParams(location.search).get('lang') ?? '', ...navigator.languages]
/** The reader chose a language, in the address or on the page, so that of the link does not count. */
let isLanguageChosen = languages[0] !== ''

const token = takeToken()
element('language').addEventListener('change', (event) => {
  languages = [event.target.value]
  isLanguageChosen = true
  setLanguage(event.target.value)
})
element('start').addEventListener('click', start)
element('retry').addEventListener('click', load)
element('choice').addEventListener('submit', chooseNumber)
element('pin').addEventListener('submit', submitPin)
window.addEventListener('message', receive)
setLanguage(findPreferredLanguage(languages))
load()

/** Removes the token from the address bar, so that a screenshot, the history or a shared screen does not reveal it. */
function takeToken() {
  const found = /^\/connect\/([^/]+)$/.exec(location.pathname)?.[1]
  if (found) history.replaceState(null, '', '/connect')
  return found
}

function setLanguage(language) {
  texts = TRANSLATIONS[language]
  document.documentElement.lang = language
  element('language').value = language
  for (const place of document.querySelectorAll('[data-text]')) place.textContent = texts[place.dataset.text]
  document.title = `${texts.title} · Hubline`
  if (link) showLink()
  if (problem) element('problem').textContent = problem()
  ending?.()
}

/** The person sees who asks and on which host the page is, and neither name can pretend to be a text of the page. */
function showLink() {
  const { organization_name: organization, channel_name: channel, expires_at: expiry } = link
  fill(element('title'), texts.title_of, { channel: isolate(channel) })
  fill(element('asked'), texts.asked, { organization: strong(organization), host: strong(location.host) })
  fill(element('done-text'), texts.done_text, { organization: strong(organization) })
  showWaysBack(link)
  element('expires').dateTime = expiry
  element('expires').title = expiry
  element('expires').textContent = texts.expires.replace('{{time}}', dateText(expiry))
}

/** The policy of the page allows no style in its HTML, but lets a script set properties. */
function showOrganization({ organization_name: name, brand: { color, logo_url: logo } }) {
  element('brand').replaceChildren(isolate(name))
  element('brand').dataset.initials = readInitials(name)
  if (color) {
    document.documentElement.dataset.color = 'own'
    document.documentElement.style.setProperty('--accent', `light-dark(${color.on_light}, ${color.on_dark})`)
  }
  if (logo === null) return
  // The name stands beside it. The policy refuses an address on another host, such as one of several names of the hub.
  const image = Object.assign(document.createElement('img'), { src: new URL(logo).pathname, alt: '' })
  // Then the initials show again.
  image.addEventListener('error', () => image.remove())
  element('brand').prepend(image)
}

/** The person sees the host that a link leads to before leaving the page. */
function showWaysBack({ success_url: success, failure_url: failure }) {
  if (success !== null) {
    const host = new URL(success).host
    fill(element('returns'), texts.returns, { host: strong(host) })
    element('return').replaceChildren(buildWayBack(texts.return_to, success))
  }
  element('returns').hidden = success === null
  element('return').hidden = success === null
  element('close').hidden = success !== null
  for (const place of document.querySelectorAll('.leave')) {
    place.hidden = failure === null
    if (failure !== null) place.replaceChildren(buildWayBack(texts.leave, failure))
  }
}

function buildWayBack(text, url) {
  const anchor = Object.assign(document.createElement('a'), { href: url, rel: 'noreferrer' })
  fill(anchor, text, { host: isolate(new URL(url).host) })
  return anchor
}

/** Puts elements into the `{{places}}` of a text. */
function fill(place, text, places) {
  place.replaceChildren(...text.split(/\{\{(\w+)\}\}/).map((part, index) => (index % 2 ? places[part] : part)))
}

function strong(name) {
  const element = document.createElement('strong')
  element.append(isolate(name))
  return element
}

/** `ÁS` of `Ágora Sistemas`. */
function readInitials(name) {
  const letters = name.split(/\s+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u) ?? [])
  return letters.slice(0, 2).join('').toUpperCase()
}

/** Moves the focus to the main control of the panel, or to its heading if there is none. */
function show(panel) {
  for (const id of panels) element(id).hidden = id !== panel
  element('problem').hidden = true
  problem = undefined
  const place = element(panel)
  const next =
    place.querySelector('[data-first]') ??
    place.querySelector('input, button:not([hidden]), #return:not([hidden]) a') ??
    place.querySelector('h1')
  next?.focus()
}

function showProblem(getText, requestId) {
  problem = () => (requestId ? `${getText()} (${texts.reference}: ${requestId})` : getText())
  element('problem').textContent = problem()
  element('problem').hidden = false
  element('problem').scrollIntoView({ block: 'nearest' })
}

async function load() {
  show('loading')
  const answer = token ? await callApi('GET') : { error: { code: 'no_token' } }
  if (answer.error) return showEnding(answer.error)
  link = answer.data
  showOrganization(link)
  if (link.link_language && !isLanguageChosen) languages = [link.link_language]
  setLanguage(findPreferredLanguage(languages, link.language))
  if (link.mode === 'embedded_signup') loadSdk()
  show('open')
}

async function callApi(method, body) {
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

/** The code is valid for 30 seconds, so the request is sent at once. */
async function connect() {
  show('busy')
  const answer = await callApi('POST', signUp)
  if (answer.error) return recover(answer.error)
  element('number').textContent = answer.data.channel.display_phone_number ?? ''
  element('verified').textContent = answer.data.channel.verified_name ?? ''
  show('done')
}

/** A missing choice or PIN continues with the same code. Any other error is shown, and the customer can try again. */
function recover(error) {
  if (Array.isArray(texts[error.code])) return showEnding(error)
  const { choices, pin_required: pinRequired } = error.details ?? {}
  if (choices?.length > 1) return showChoices(choices)
  if (pinRequired) return show('pin')
  // A mistyped PIN does not require another sign-up.
  const isAboutPin = error.details?.step === 'register' && signUp.pin !== undefined
  show(isAboutPin ? 'pin' : 'open')
  showProblem(() => texts[error.code] ?? texts[error.details?.step] ?? error.message, error.request_id)
}

/** Error codes that end a link have their own page. Any other error may be temporary, and offers another attempt. */
function showEnding(error) {
  const isFinal = Array.isArray(texts[error.code])
  ending = () => {
    const [title, text] = isFinal ? texts[error.code] : [texts.trouble, texts[error.code] ?? error.message]
    element('over-title').textContent = title
    element('over-text').textContent = text
  }
  ending()
  element('retry').hidden = isFinal
  show('over')
  if (!isFinal && error.request_id) showProblem(() => texts.reference_only, error.request_id)
}

function showChoices(choices) {
  const rows = choices.map(({ phone_number_id: id, display_phone_number: number, verified_name: name }, index) => {
    const label = document.createElement('label')
    const radio = Object.assign(document.createElement('input'), { type: 'radio', name: 'number', value: id })
    radio.checked = index === 0
    label.append(radio, ' ', isolate(number ?? id), ' ', isolate(name ?? ''))
    return label
  })
  element('choices').replaceChildren(element('choices').querySelector('legend'), ...rows)
  show('choice')
}

/** A name may be written from right to left, and must not reorder what stands beside it. */
function isolate(text) {
  return Object.assign(document.createElement('bdi'), { textContent: text })
}

function chooseNumber(event) {
  event.preventDefault()
  signUp.phone_number_id = new FormData(event.target).get('number')
  connect()
}

function submitPin(event) {
  event.preventDefault()
  const pin = element('pin-input').value
  if (!/^\d{6}$/.test(pin)) {
    showProblem(() => texts.pin_wrong)
    return element('pin-input').focus()
  }
  signUp.pin = pin
  connect()
}

function start() {
  signUp = {}
  show('open')
  if (link.mode === 'embedded_signup') return login()
  const address = new URL(link.signup_url)
  address.searchParams.set('opener_origin', location.origin)
  address.searchParams.set('lang', document.documentElement.lang)
  if (isInApp()) address.searchParams.set('feature', 'coexistence')
  if (!window.open(address, 'signup', 'width=640,height=760')) showProblem(() => texts.popup)
}

/** The login response and the sign-up message are both required, and arrive in either order. */
function connectIfComplete() {
  if (signUp.code && signUp.waba_id) connect()
}

function receive(event) {
  if (!isSignup(event.origin)) return
  const message = parse(event.data)
  if (message?.type === 'WA_EMBEDDED_SIGNUP') {
    if (SIGNUP_FAILED.includes(message.event)) return cancel(message.data?.error_message)
    signUp = { ...signUp, waba_id: message.data.waba_id, phone_number_id: message.data.phone_number_id }
    connectIfComplete()
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
  // A failed sign-up sends two messages, and only the first has the reason.
  if (!code) return problem ? undefined : cancel()
  signUp.code = code
  connectIfComplete()
}

function cancel(reason) {
  signUp = {}
  show('open')
  showProblem(() => reason ?? texts.canceled)
}

function loadSdk() {
  window.fbAsyncInit = () => {
    window.FB.init({ appId: link.app_id, version: link.graph_version, autoLogAppEvents: false, xfbml: false })
  }
  document.head.append(Object.assign(document.createElement('script'), { src: SDK_URL, async: true }))
}

/** A number in the business app has a sign-up of its own. Whether it stays in the app, the number itself tells later. */
function isInApp() {
  return document.querySelector('input[name=usage]:checked').value === 'app'
}

function login() {
  if (!window.FB) return showProblem(() => texts.offline)
  window.FB.login(finishLogin, {
    config_id: link.config_id,
    response_type: 'code',
    override_default_response_type: true,
    extras: {
      setup: {},
      sessionInfoVersion: '3',
      ...(isInApp() && { featureType: 'whatsapp_business_app_onboarding' }),
    },
  })
}

function dateText(iso) {
  return new Date(iso).toLocaleString(INTL_LOCALES[document.documentElement.lang], {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
}
