/** How a client is installed: from the registry of its language, or with the dependencies of this repository. */
type Installer = 'npm' | 'pip'

export type Client = {
  name: string
  version: string
  /** What a program imports, if that is not the name. */
  module?: string
  language: 'JavaScript' | 'Python'
  installer: Installer
  /** A file in `drivers/`, which makes the calls. */
  driver: string
  /** How its users point it to the hub. */
  setting: string
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
    driver: 'kapso.mjs',
    setting: 'the option `baseUrl`',
    cannot: { 'get template': 'it asks for a path that the Graph API does not have' },
  },
  {
    ...JAVASCRIPT,
    name: '@great-detail/whatsapp',
    version: '9.2.0',
    driver: 'great-detail.mjs',
    setting: 'the option `baseUrl`',
  },
  {
    ...JAVASCRIPT,
    name: 'whatsapp-api-js',
    version: '6.3.0',
    driver: 'whatsapp-api-js.mjs',
    setting: 'the option `ponyfill.fetch`, because `graph.facebook.com` is a constant',
  },
  {
    ...JAVASCRIPT,
    name: 'whatsapp-business',
    version: '1.7.2',
    driver: 'whatsapp-business.mjs',
    setting: '`restClient.fetch.defaults.baseURL`, because `graph.facebook.com` is a constant',
  },
  {
    ...JAVASCRIPT,
    name: 'whatsapp-cloud-api',
    version: '0.3.1',
    driver: 'whatsapp-cloud-api.mjs',
    setting: 'an interceptor of axios, because `graph.facebook.com` is a constant',
  },
  {
    ...JAVASCRIPT,
    name: '@whatsapp-cloudapi/client',
    version: '4.2.0',
    driver: 'whatsapp-cloudapi-client.mjs',
    setting: 'the option `baseUrl` of each function',
  },
  {
    ...PYTHON,
    name: 'pywa',
    version: '4.5.0',
    driver: 'pywa_driver.py',
    setting: '`base_url` of the session, because `graph.facebook.com` is a constant',
    cannot: { 'list blocked contacts': 'it reads a member that Meta does not send' },
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
    setting: '`requests.Session.request`, because `graph.facebook.com` is a constant in every function',
  },
]

/** Clients that are not driven, and why. */
export const NOT_DRIVEN: readonly { name: string; language: string; reason: string }[] = [
  {
    name: 'whatsapp',
    language: 'JavaScript',
    reason:
      'version 1.0.0 is empty, and 0.0.5-Alpha, the last of Meta, speaks only https on port 443 with the root of a host. Set `WA_BASE_URL` to the host of `GRAPH_URL`',
  },
  { name: 'whatsapp-business-sdk', language: 'JavaScript', reason: 'npm has no package of this name' },
  { name: 'github.com/piusalfred/whatsapp', language: 'Go', reason: 'the module proxy did not have it' },
  { name: 'com.github.Bindambc:whatsapp-business-java-api', language: 'Java', reason: 'Maven Central did not have it' },
  { name: 'netflie/whatsapp-cloud-api', language: 'PHP', reason: 'Composer was not installed' },
  { name: 'whatsapp_sdk', language: 'Ruby', reason: 'Ruby was not installed' },
]
