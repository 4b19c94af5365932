import { SEND_RATES } from '../../domains/channels/send-rates.ts'
import { type Limit, perMinute, perQuarterHour, perSecondOfChannel } from '../../kernel/rate-limit/limit.ts'

/** The rate limits of the API by group of routes. Limits of single operations are in the services of their domains. */
export const LIMITS = {
  /** `/console` shares these limits: a session has one count for both, and so has its organization. */
  general: { ...perMinute('general', 600), perOrganization: perMinute('organization', 3000) },
  webhooks: perMinute('webhooks', 120),
  /** Pages of webhooks read again with every delivery: they leave the count of the other pages and of the API alone. */
  webhookPages: { ...perMinute('webhook-pages', 600), perOrganization: perMinute('organization', 3000) },
  /** By the API and by the facade, at the rate of the channel's number. */
  sends: { ...perSecondOfChannel('sends', SEND_RATES.standard), channelRateMax: SEND_RATES.high },
  facade: perSecondOfChannel('facade', 80),
}

/** The limits of a route without a credential: for each address, and for each link if the path names one. */
export type PublicLimits = { perAddress: Limit; perLink?: Limit }

/** All public routes share the count of an address. High enough for an office or a mobile network behind one address. */
const PER_ADDRESS = perMinute('public', 300)

export const PUBLIC_LIMITS = {
  page: { perAddress: PER_ADDRESS },
  link: { perAddress: PER_ADDRESS, perLink: perQuarterHour('link', 100) },
} satisfies Record<string, PublicLimits>
