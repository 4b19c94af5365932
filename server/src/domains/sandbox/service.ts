import { notFound } from '../../kernel/errors.ts'
import type { Principal } from '../auth/principal.ts'
import type { ChannelConnections, Credential } from '../channels/connection/service.ts'
import type { Channel } from '../channels/schemas.ts'
import type { Onboarding } from '../onboarding/service.ts'
import type {
  ChatMessage,
  Conversation,
  ConversationQuery,
  NumberFaults,
  ReviewTemplate,
  SetQuality,
  WriteAsCustomer,
} from './schemas.ts'
import { type ControlBody, type SimulatorControl, toControlError } from './simulator.ts'

/** The PIN of the numbers that `connect` makes. */
const PIN = '000000'

type Dependencies = {
  /** Undefined if the upstream is not the simulator of this process. */
  control: SimulatorControl | undefined
  connections: ChannelConnections
  onboarding: Onboarding
}

type SimulatedAccount = { waba_id: string; access_token: string; numbers: { phone_number_id: string }[] }

export type SandboxPhone = ReturnType<typeof createSandboxPhone>

/**
 * The phone of a customer, and what can go wrong between it and a channel. Each method finds the channel of the
 * organization first, and touches only its number.
 */
export function createSandboxPhone({ control, connections, onboarding }: Dependencies) {
  async function call<T>(method: string, path: string, body?: ControlBody): Promise<T> {
    if (!control) throw notFound('sandbox_not_found')
    try {
      return await control<T>(method, path, body)
    } catch (err) {
      throw toControlError(err)
    }
  }

  /** A connected channel owns its number, so the number is no other organization's. */
  async function findNumber(organizationId: string, channelId: string): Promise<Credential & { path: string }> {
    if (!control) throw notFound('sandbox_not_found')
    const credential = await connections.credential(organizationId, channelId)
    return { ...credential, path: `/numbers/${credential.phoneNumberId}` }
  }

  /** The account of the channel's number with a new token, or a new account with one number. */
  async function signUp(channel: { name: string; phone_number_id: string | null; waba_id: string | null }) {
    const { name, phone_number_id, waba_id } = channel
    if (phone_number_id !== null && waba_id !== null) {
      const { access_token } = await call<{ access_token: string }>('POST', '/tokens', { waba_id })
      return { access_token, waba_id, phone_number_id }
    }
    const account = await call<SimulatedAccount>('POST', '/accounts', { name, numbers: [{ verified_name: name }] })
    return { ...account, phone_number_id: account.numbers[0]?.phone_number_id ?? '' }
  }

  return {
    requireAvailable(): void {
      if (!control) throw notFound('sandbox_not_found')
    },

    /** Connects a channel as a finished sign-up does: a new one to a new number, another one to its own number again. */
    async connect(principal: Principal, channelId: string): Promise<Channel> {
      this.requireAvailable()
      const channel = await connections.find({ organizationId: principal.organizationId, id: channelId })
      const { access_token, waba_id, phone_number_id } = await signUp(channel)
      return onboarding.connectWithToken(principal, channelId, { access_token, waba_id, phone_number_id, pin: PIN })
    },

    async conversation(
      organizationId: string,
      channelId: string,
      { customer, limit, before }: ConversationQuery,
    ): Promise<Conversation> {
      const { path } = await findNumber(organizationId, channelId)
      const query = new URLSearchParams({
        limit: String(limit),
        ...(customer !== undefined && { customer }),
        ...(before !== undefined && { before }),
      })
      return call<Conversation>('GET', `${path}/conversation?${query}`)
    },

    async write(organizationId: string, channelId: string, { customer, message }: WriteAsCustomer) {
      const { path } = await findNumber(organizationId, channelId)
      const customerPath = `${path}/customers/${encodeURIComponent(customer.phone)}`
      const { name, username } = customer
      const shown = { ...(name !== undefined && { name }), ...(username !== undefined && hideBehind(username)) }
      if (Object.keys(shown).length > 0) await call('PUT', customerPath, shown)
      return call<ChatMessage>('POST', `${customerPath}/messages`, message)
    },

    async read(organizationId: string, channelId: string, phone: string): Promise<{ read: number }> {
      const { path } = await findNumber(organizationId, channelId)
      return call('POST', `${path}/customers/${encodeURIComponent(phone)}/read`)
    },

    async faults(organizationId: string, channelId: string) {
      const { path } = await findNumber(organizationId, channelId)
      return toFaultsView(await call<SimulatedFaults>('GET', `${path}/faults`))
    },

    async setFaults(organizationId: string, channelId: string, faults: NumberFaults) {
      const { path } = await findNumber(organizationId, channelId)
      return toFaultsView(await call<SimulatedFaults>('PUT', `${path}/faults`, faults))
    },

    /** The upstream flags a number with the lowest rating too. */
    async setQuality(organizationId: string, channelId: string, { rating }: SetQuality) {
      const { path } = await findNumber(organizationId, channelId)
      const flagged = { status: 'FLAGGED', event: 'FLAGGED' }
      const usual = { status: 'CONNECTED', event: 'UNFLAGGED' }
      await call('PATCH', path, { quality: rating, ...(rating === 'RED' ? flagged : usual) })
      return { rating }
    },

    /** Only the token of this channel: other channels of the account keep theirs. */
    async revokeToken(organizationId: string, channelId: string): Promise<void> {
      const { token } = await findNumber(organizationId, channelId)
      await call('POST', '/tokens/revoke', { access_token: token })
    },

    async reviewTemplate(organizationId: string, channelId: string, templateId: string, review: ReviewTemplate) {
      const { path } = await findNumber(organizationId, channelId)
      const reviewPath = `${path}/templates/${encodeURIComponent(templateId)}/review`
      return call<{ id: string; name: string; status: string; reason: string }>('POST', reviewPath, review)
    },
  }
}

/** A customer who has a username hides the phone number behind it. */
function hideBehind(username: string | null) {
  return { username, hides_phone: username !== null }
}

type SimulatedFaults = NumberFaults & { failure_codes: number[] }

function toFaultsView({ failure_codes, ...faults }: SimulatedFaults) {
  return { faults, failure_codes }
}
