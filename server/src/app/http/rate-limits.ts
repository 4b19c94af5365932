import { perMinute, perSecondOfChannel } from '../../kernel/rate-limit/limit.ts'

/** The rate limits of the API by group of routes. Limits of single operations are in the services of their domains. */
export const LIMITS = {
  general: perMinute('general', 600),
  webhooks: perMinute('webhooks', 120),
  sends: perSecondOfChannel('sends', 80),
  facade: perSecondOfChannel('facade', 80),
}
