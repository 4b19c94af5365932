import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { perQuarterHour, requireWithinLimit } from '../../kernel/rate-limit/limit.ts'
import { countRequest } from '../../kernel/rate-limit/store.ts'
import type { Result, UpstreamFailure } from '../../upstream/http/errors.ts'
import type { PhoneNumber } from '../../upstream/resources/phone-numbers.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Initiator } from '../audit/initiator.ts'
import type { ClientInfo } from '../auth/client-info.ts'
import type { Principal } from '../auth/principal.ts'
import type { ChannelConnections, NewConnection } from '../channels/connection/service.ts'
import { toNumberFacts } from '../channels/number-facts.ts'
import type { Channel } from '../channels/schemas.ts'
import type { AccountSubscriptions } from '../channels/subscriptions/service.ts'
import type { ClaimedLink, ConnectLinks } from '../connect-links/service.ts'
import { toBrandColors } from '../organizations/brand-color.ts'
import type { Organizations } from '../organizations/service.ts'
import type { Connect, ConnectWithToken } from './schemas.ts'
import { chooseNumber, choosePin, requireGrantedToken, type Step, stepFailed } from './steps.ts'

/** The page needs this to open the sign-up of Meta, or of the simulator in the sandbox. */
export type SignUpSettings = {
  mode: 'embedded_signup' | 'sandbox'
  appId: string
  configId: string | null
  graphVersion: string
  signupUrl: string | null
}

/** Attempts of one link. Each calls the upstream in the name of the app, which all organizations share. */
const ATTEMPTS = perQuarterHour('connect', 10)

type Dependencies = {
  sql: Pool
  upstream: Upstream
  connections: ChannelConnections
  connectLinks: ConnectLinks
  subscriptions: AccountSubscriptions
  organizations: Pick<Organizations, 'findLogo'>
  publicUrl: string
  settings: SignUpSettings
}

type Key = { organizationId: string; id: string }
type ConnectionRequest = { waba_id: string; phone_number_id?: string | undefined; pin?: string | undefined }

export type Onboarding = ReturnType<typeof createOnboarding>

/**
 * Connects a number to a channel: first all upstream steps, then one transaction that stores the connection and spends
 * the link. A failed step releases the link, so that the customer can try again.
 */
export function createOnboarding(deps: Dependencies) {
  const { sql, upstream, connections, connectLinks, subscriptions, organizations, publicUrl, settings } = deps

  /** A code can be exchanged once. A second request with it, now with the PIN, uses the stored token of the first. */
  async function exchange(link: ClaimedLink, code: string): Promise<string> {
    const storedToken = await connectLinks.findExchangedToken(link, code)
    if (storedToken !== undefined) return storedToken
    const { access_token } = unwrap('exchange_code', await upstream.oauth.exchangeCode(code))
    await connectLinks.storeExchangedToken(link, code, access_token)
    return access_token
  }

  /** The steps after the exchange of the code. */
  async function prepare(key: Key, accessToken: string, requested: ConnectionRequest): Promise<NewConnection> {
    const { waba_id: wabaId } = requested
    const token = unwrap('check_token', await upstream.oauth.debugToken(accessToken))
    requireGrantedToken(token, { appId: settings.appId, wabaId })
    const numbers = unwrap('find_number', await upstream.accounts.listPhoneNumbers(accessToken, wabaId))
    const number = chooseNumber(numbers, requested.phone_number_id)
    await connections.requireFreeNumber(key, number.id)
    const isOnApp = number.is_on_biz_app === true
    const pin = choosePin(number, requested.pin)
    unwrap('subscribe', await subscriptions.subscribe(accessToken, { wabaId, phoneNumberId: number.id }))
    if (isOnApp) await synchronize(accessToken, number)
    else if (pin !== null) unwrap('register', await upstream.phoneNumbers.register(accessToken, number.id, pin))
    const fresh = await upstream.phoneNumbers.get(accessToken, number.id)
    const facts = toNumberFacts(fresh.ok ? fresh.value : number)
    return { ...facts, phoneNumberId: number.id, wabaId, coexistence: isOnApp, accessToken }
  }

  /** Contacts and history can be requested once, within a day of the sign-up; after that a number connects without. */
  async function synchronize(accessToken: string, number: PhoneNumber): Promise<void> {
    for (const type of ['smb_app_state_sync', 'history'] as const) {
      const result = await upstream.phoneNumbers.sync(accessToken, number.id, type)
      if (!result.ok && !isSyncOver(result.failure)) throw stepFailed('synchronize', result.failure)
    }
  }

  return {
    mode: settings.mode,

    async show(token: string) {
      const link = await connectLinks.find(token)
      const channel = await connections.find({ organizationId: link.organization_id, id: link.channel_id })
      return {
        organization_name: link.organization_name,
        channel_name: channel.name,
        status: 'open' as const,
        mode: settings.mode,
        app_id: settings.appId,
        config_id: settings.configId,
        graph_version: settings.graphVersion,
        expires_at: link.expires_at,
        language: link.link_language ?? link.language,
        link_language: link.link_language,
        success_url: link.success_url,
        failure_url: link.failure_url,
        brand: {
          color: toBrandColors(link.color),
          logo_url: link.has_logo ? `${publicUrl}/api/v1/connect/${token}/logo` : null,
        },
        signup_url: settings.signupUrl,
      }
    },

    /** The logo of the organization, for the clients that have an open link. */
    async findLogo(token: string) {
      const { organization_id } = await connectLinks.find(token)
      return organizations.findLogo(organization_id)
    },

    /** One request at a time holds the link, and only a successful one spends it. */
    async connect(token: string, body: Connect, client: ClientInfo): Promise<Channel> {
      const link = await connectLinks.claim(token)
      const key = { organizationId: link.organizationId, id: link.channelId }
      try {
        requireWithinLimit(ATTEMPTS, await countRequest(sql, ATTEMPTS, `${link.organizationId}:${link.id}`))
        const accessToken = await exchange(link, body.code)
        const connection = await prepare(key, accessToken, body)
        const channel = await sql.begin(async (tx: Tx) => {
          // Locks the channel before its link, as a deletion does, so that the two cannot deadlock.
          const connected = await connections.establish(tx, key, connection, toAct(client), link.metadata)
          await connectLinks.spend(tx, link)
          return connected
        })
        await subscriptions.receiveHere(accessToken, connection)
        return channel
      } catch (err) {
        // A spent link stays spent.
        await connectLinks.release(link)
        throw err
      }
    },

    /** For a client with an access token of its own: the same steps, without the exchange of a code and without a link. */
    async connectWithToken(
      { organizationId, initiator }: Principal,
      id: string,
      body: ConnectWithToken,
    ): Promise<Channel> {
      const key = { organizationId, id }
      await connections.find(key)
      const connection = await prepare(key, body.access_token, body)
      const channel = await sql.begin((tx: Tx) => connections.establish(tx, key, connection, initiator))
      await subscriptions.receiveHere(body.access_token, connection)
      return channel
    },
  }
}

function unwrap<T>(step: Step, result: Result<T>): T {
  if (result.ok) return result.value
  throw stepFailed(step, result.failure)
}

/** Meta's codes for a synchronization that was already requested, and for one that is requested too late. */
const SYNC_OVER = [2_593_107, 2_593_108]

function isSyncOver({ code, error_subcode }: UpstreamFailure): boolean {
  return SYNC_OVER.some((over) => over === code || over === error_subcode)
}

function toAct({ ip, requestId }: ClientInfo): Initiator {
  return { actor: { type: 'system', id: null, name: 'connect link' }, ip, requestId }
}
