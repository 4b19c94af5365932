/** A client is installed from the registry of its language, or with the dependencies of this repository. */
type Installer = 'npm' | 'pip'

export type Client = {
  name: string
  version: string
  /** The name that a program imports, if it differs. */
  module?: string
  language: 'JavaScript' | 'Python'
  installer: Installer
  /** A file in `drivers/`, which makes the calls. */
  driver: string
  /** The way its users point it to the hub. */
  setting: string
  /** A host that the client always calls too. The lines of the guide run only where it can be reached. */
  otherHost?: string
  /** Calls that cannot work, and why. Any other call that fails, fails the run. */
  cannot?: Record<string, string>
}

const JAVASCRIPT = { language: 'JavaScript', installer: 'npm' } as const
const PYTHON = { language: 'Python', installer: 'pip' } as const

export const CLIENTS: readonly Client[] = [
  {
    ...JAVASCRIPT,
    name: '@kapso/whatsapp-cloud-api',
    version: '0.3.0',
    driver: 'kapso.js',
    setting: 'the option `baseUrl`',
    cannot: { 'get template': 'it asks for a path that is in no reference of the Graph API' },
  },
  {
    ...JAVASCRIPT,
    name: '@great-detail/whatsapp',
    version: '9.2.0',
    driver: 'great-detail.js',
    setting: 'the option `baseUrl`',
  },
  {
    ...JAVASCRIPT,
    name: 'whatsapp-api-js',
    version: '6.3.0',
    driver: 'whatsapp-api-js.js',
    setting: 'the option `ponyfill.fetch`, because `graph.facebook.com` is a constant',
    cannot: { 'change QR code': 'it posts to the path of the code, and `/graph` takes the code as a parameter' },
  },
  {
    ...JAVASCRIPT,
    name: 'whatsapp-business',
    version: '1.7.2',
    driver: 'whatsapp-business.js',
    setting: '`restClient.fetch.defaults.baseURL`, because `graph.facebook.com` is a constant',
  },
  {
    ...JAVASCRIPT,
    name: 'whatsapp-cloud-api',
    version: '0.3.1',
    driver: 'whatsapp-cloud-api.js',
    setting: 'an interceptor of axios, because `graph.facebook.com` is a constant',
  },
  {
    ...JAVASCRIPT,
    name: '@whatsapp-cloudapi/client',
    version: '4.2.0',
    driver: 'whatsapp-cloudapi-client.js',
    setting: 'the option `baseUrl` of each function',
  },
  {
    ...PYTHON,
    name: 'pywa',
    version: '4.5.0',
    driver: 'pywa_driver.py',
    setting: '`base_url` of the session, because `graph.facebook.com` is a constant',
    cannot: {
      'edit template':
        'the template is edited, but the client also reads an `id` of the answer, which the simulator does not send',
      'list blocked contacts': 'it reads a member that its own example of the answer of Meta does not have',
    },
  },
  {
    ...PYTHON,
    name: 'heyoo',
    version: '0.1.2',
    driver: 'heyoo_driver.py',
    setting: '`base_url`, `v15_base_url` and `url`, because `graph.facebook.com` is a constant',
  },
  {
    ...PYTHON,
    name: 'whatsapp-python',
    module: 'whatsapp',
    version: '4.3.0',
    driver: 'whatsapp_python_driver.py',
    otherHost: 'developers.facebook.com',
    setting: '`requests.Session.request`, because `graph.facebook.com` is a constant in every function',
  },
]

const NOT_FOUND = 'it could not be downloaded by its name where this table was made'

/** Clients that are not driven, and why. */
export const NOT_DRIVEN: readonly { name: string; language: string; reason: string }[] = [
  {
    name: 'whatsapp',
    language: 'JavaScript',
    reason:
      'version 1.0.0 is empty, and 0.0.5-Alpha speaks only https on port 443 with the root of a host. Set `WA_BASE_URL` to the host of `GRAPH_URL`',
  },
  { name: 'whatsapp-business-sdk', language: 'JavaScript', reason: NOT_FOUND },
  { name: 'github.com/piusalfred/whatsapp', language: 'Go', reason: NOT_FOUND },
  { name: 'com.github.Bindambc:whatsapp-business-java-api', language: 'Java', reason: NOT_FOUND },
  {
    name: 'netflie/whatsapp-cloud-api',
    language: 'PHP',
    reason: 'Composer was not installed where this table was made',
  },
  { name: 'whatsapp_sdk', language: 'Ruby', reason: 'Ruby was not installed where this table was made' },
]
