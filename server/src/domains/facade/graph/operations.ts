import { timingSafeEqual } from 'node:crypto'
import { hashToken } from '../../../kernel/crypto/tokens.ts'
import { invalidRequest, notFound } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/json/values.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Endpoints } from '../../webhooks/endpoints/service.ts'
import { type FacadeResponse, toJsonResponse } from '../responses.ts'
import type { AllowedRequest } from '../upstream-calls.ts'
import { parseJsonText } from '../writing/body.ts'
import { readParameters } from './leniency.ts'
import type { GraphRequest } from './tokens.ts'

/** Meta's names for the rights of a token, with the scopes of the hub that they stand for. */
const PERMISSIONS: Record<string, readonly Scope[]> = {
  whatsapp_business_management: ['channels:read', 'templates:read', 'templates:write', 'profile:write', 'number:write'],
  whatsapp_business_messaging: ['messages:send', 'messages:read', 'media:write', 'calls:write'],
}

/** The name of the app that clients show. */
const APPLICATION = 'Hubline'

const SUCCESS = toJsonResponse(JSON.stringify({ success: true }))

type Dependencies = { appId: string; publicUrl: string; endpoints: Pick<Endpoints, 'isReceiving'> }

/** The hub answers these itself, because the app and its callbacks are the hub's and not the channel's. */
export function createHubOperations({ appId, publicUrl, endpoints }: Dependencies) {
  /** The upstream's callbacks go to the hub, and from there to endpoints: an address that is one of them needs no change. */
  async function requireEndpoint({ organizationId, channelId }: AllowedRequest, address: unknown): Promise<void> {
    if (address === undefined || address === '') return
    const isReceiving =
      typeof address === 'string' && (await endpoints.isReceiving({ organizationId, channelId }, address))
    if (!isReceiving) throw invalidRequest('webhook_configuration_unknown')
  }

  return {
    async listSubscribedApps(): Promise<FacadeResponse> {
      const app = { id: appId, link: publicUrl, name: APPLICATION }
      return toJsonResponse(JSON.stringify({ data: [{ whatsapp_business_api_data: app }] }))
    },

    async subscribeApp(request: AllowedRequest): Promise<FacadeResponse> {
      const { override_callback_uri: address } = { ...request.query, ...readParameters(request) }
      await requireEndpoint(request, address)
      return SUCCESS
    },

    async unsubscribeApp(): Promise<FacadeResponse> {
      return SUCCESS
    },

    /** Only the address of a number's callbacks can be changed here. */
    async configureNumber(request: AllowedRequest): Promise<FacadeResponse> {
      const { messaging_product: _product, ...parameters } = { ...request.query, ...readParameters(request) }
      const { webhook_configuration: given, ...others } = parameters
      if (given === undefined || Object.keys(others).length > 0) throw notFound('resource_not_found')
      const configuration = typeof given === 'string' ? parseJsonText(given) : given
      if (!isObject(configuration)) throw invalidRequest('webhook_configuration_invalid')
      await requireEndpoint(request, configuration.override_callback_uri)
      return SUCCESS
    },
  }
}

/** Describes the calling token, and no other: the answer about any other token is the same, whether it exists or not. */
export function describeToken(
  { scopes }: Principal,
  { wabaId, appId }: { wabaId: string | null; appId: string },
  { token, query }: GraphRequest,
): FacadeResponse {
  const { values, count } = query.input_token
  if (count === 0) throw invalidRequest('input_token_missing')
  const [input = ''] = values
  const isOwn = count === 1 && token !== undefined && timingSafeEqual(hashToken(input), hashToken(token))
  if (!isOwn) return toJsonResponse(JSON.stringify({ data: { is_valid: false } }))
  const held = Object.entries(PERMISSIONS).flatMap(([permission, needed]) =>
    needed.some((scope) => scopes.includes(scope)) ? [permission] : [],
  )
  const granular_scopes = held.map((scope) => ({ scope, target_ids: wabaId === null ? [] : [wabaId] }))
  // A channel token has no end: 0 is how Meta writes it, and programs refuse a token that has one.
  const identity = { app_id: appId, application: APPLICATION, type: 'SYSTEM_USER', is_valid: true, expires_at: 0 }
  return toJsonResponse(JSON.stringify({ data: { ...identity, scopes: held, granular_scopes } }))
}
