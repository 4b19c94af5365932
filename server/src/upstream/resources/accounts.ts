import { isObject, toText } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { type Page, readPage } from './paging.ts'
import {
  type HealthStatus,
  PHONE_NUMBER_FIELDS,
  type PhoneNumber,
  readHealth,
  readPhoneNumber,
} from './phone-numbers.ts'
import { buildPricingFields, type Pricing, readPricing } from './pricing-analytics.ts'
import { readSuccess, type Success } from './success.ts'

const PAGE_LENGTH = 100
/** A portfolio has 20 numbers; the limit guards against a list that never ends. */
const PAGES_MAX = 10
const ACCOUNT_FIELDS = ['name', 'status', 'account_review_status', 'business_verification_status', 'country'] as const

type Account = { id: string; health_status: HealthStatus | null } & {
  [field in (typeof ACCOUNT_FIELDS)[number]]: string | null
}

export type Subscription = {
  whatsapp_business_api_data: { id: string | null; link: string | null; name: string | null }
  override_callback_uri: string | null
}

export function createAccountCalls({ call, newDeadline }: UpstreamClient) {
  return {
    get: (token: string, wabaId: string): Promise<Result<Account>> =>
      call({
        name: 'accounts.get',
        method: 'GET',
        to: [wabaId],
        query: { fields: ['id', ...ACCOUNT_FIELDS, 'health_status'].join(',') },
        token,
        read: readAccount,
      }),

    /** Every number of the account, newest first; all pages share one deadline. */
    async listPhoneNumbers(token: string, wabaId: string): Promise<Result<PhoneNumber[]>> {
      using deadline = newDeadline()
      const numbers: PhoneNumber[] = []
      let after: string | null = null
      for (let page = 0; page < PAGES_MAX && (page === 0 || after !== null); page++) {
        const result: Result<Page<PhoneNumber>> = await call({
          name: 'accounts.listPhoneNumbers',
          method: 'GET',
          to: [wabaId, 'phone_numbers'],
          query: { fields: PHONE_NUMBER_FIELDS.join(','), limit: PAGE_LENGTH, after },
          token,
          deadline,
          read: (body) => readPage(body, readPhoneNumber),
        })
        if (!result.ok) return result
        numbers.push(...result.value.data)
        after = result.value.after
      }
      return { ok: true, value: numbers }
    },

    readPricing: (
      token: string,
      wabaId: string,
      period: Parameters<typeof buildPricingFields>[0],
    ): Promise<Result<Pricing>> =>
      call({
        name: 'accounts.readPricing',
        method: 'GET',
        to: [wabaId],
        query: { fields: buildPricingFields(period) },
        token,
        read: readPricing,
      }),

    /** The account has the callback of the app from then on, and loses one of its own that it had. */
    subscribe: (token: string, wabaId: string): Promise<Result<Success>> =>
      call({
        name: 'accounts.subscribe',
        method: 'POST',
        to: [wabaId, 'subscribed_apps'],
        token,
        read: readSuccess,
      }),

    listSubscriptions: (token: string, wabaId: string): Promise<Result<Subscription[]>> =>
      call({
        name: 'accounts.listSubscriptions',
        method: 'GET',
        to: [wabaId, 'subscribed_apps'],
        token,
        read: (body) => readPage(body, readSubscription)?.data,
      }),
  }
}

/** Returns true if the app receives the account's callbacks. */
export function isSubscribed(subscriptions: Subscription[], appId: string): boolean {
  return subscriptions.some(({ whatsapp_business_api_data: app }) => app.id === appId)
}

function readAccount(body: unknown): Account | undefined {
  const id = isObject(body) ? toText(body.id) : null
  if (!isObject(body) || id === null) return undefined
  return {
    id,
    name: toText(body.name),
    status: toText(body.status),
    account_review_status: toText(body.account_review_status),
    business_verification_status: toText(body.business_verification_status),
    country: toText(body.country),
    health_status: readHealth(body.health_status),
  }
}

function readSubscription(item: unknown): Subscription | undefined {
  const app = isObject(item) ? item.whatsapp_business_api_data : undefined
  if (!isObject(item) || !isObject(app)) return undefined
  return {
    whatsapp_business_api_data: { id: toText(app.id), link: toText(app.link), name: toText(app.name) },
    override_callback_uri: toText(item.override_callback_uri),
  }
}
