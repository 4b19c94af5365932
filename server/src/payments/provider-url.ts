const PROVIDER_HOST = /(?:^|\.)stripe\.com$/

/**
 * An address of the provider's pages that a person may follow: https at Stripe, or the simulator's own origin. Null for
 * any other one, so that an account with wrong data cannot send people elsewhere.
 */
export function readProviderUrl(text: string | null | undefined, simulatorUrl: string | undefined): string | null {
  const url = text ? URL.parse(text) : null
  if (url?.username !== '' || url.password !== '') return null
  const isProviders =
    simulatorUrl === undefined
      ? url.protocol === 'https:' && url.port === '' && PROVIDER_HOST.test(url.hostname)
      : url.origin === new URL(simulatorUrl).origin
  return isProviders ? url.href : null
}
