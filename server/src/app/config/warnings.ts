import { isLoopbackHost } from '../../kernel/net/addresses.ts'
import type { Config } from './config.ts'

/** Lists settings that are allowed and probably not meant. Each sentence names the variable to change. */
export function listConfigWarnings(config: Config): string[] {
  const url = new URL(config.publicUrl)
  const isPublic = !isLoopbackHost(url.hostname)
  const isLocalName = !isPublic && !isLoopbackHost(config.host)
  const warnings = {
    [`HOST is ${config.host} and PUBLIC_URL is ${config.publicUrl}: links and pages work on this machine only; if others open them, set PUBLIC_URL=http://<address of this machine>:${config.port}`]:
      isLocalName,
    'PUBLIC_URL is http on a host other than this one: sessions and links can be read on their way; use https':
      isPublic && url.protocol === 'http:',
    'SIGN_UP=open with BILLING=off on a public PUBLIC_URL: any client can create organizations without quotas; set SIGN_UP=closed':
      isPublic && config.signUp === 'open' && config.billing === 'off',
    'TRUSTED_PROXIES is set and METRICS_TOKEN is not: a proxy on this machine may show /metrics to any client; set METRICS_TOKEN':
      config.trustedProxies.length > 0 && config.metricsToken === undefined,
    'PUBLIC_URL is https and TRUSTED_PROXIES is empty: the hub speaks http, and without the address of its proxy all clients share one limit; set TRUSTED_PROXIES':
      url.protocol === 'https:' && config.trustedProxies.length === 0,
    'UPSTREAM_APP_ID is set and UPSTREAM_URL is not: the hub uses the simulator; set UPSTREAM_URL=https://graph.facebook.com':
      config.upstream.appId !== undefined && config.upstream.url === undefined,
  }
  return Object.entries(warnings).flatMap(([warning, isDue]) => (isDue ? [warning] : []))
}
