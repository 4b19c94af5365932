import type { HubProgram } from '../demo/hub-program.ts'
import { signUp, writeAsCustomer } from '../demo/people.ts'
import { waitFor } from '../demo/waiting.ts'

/** Whom the guides send to. */
const CUSTOMERS = ['5511999990000', '5511987654321']
const FACADE_SCOPES = ['messages:send', 'media:write', 'profile:write', 'templates:write', 'channels:read']
const CARD = '4242 4242 4242 4242'
const REMINDER = {
  name: 'order_reminder',
  language: 'pt_BR',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Pedido {{1}}: ok?', example: { body_text: [['4711']] } }],
}

export type Json = Record<string, unknown>
/** The values that a person has read so far, by their names in the guides. */
export type Known = Record<string, string | undefined>
/** Does what a person who follows a guide does besides typing its commands. */
export function createPerson({ url, simulatorUrl }: HubProgram, known: Known, signal: AbortSignal) {
  async function call(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(path.startsWith('/_sim') ? simulatorUrl + path : url + path, {
      method,
      headers: { authorization: `Bearer ${known.api_key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    })
    const answer = (await response.json()) as Json
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return (answer.data as Json | undefined) ?? answer
  }

  /** Connects the number of the channel, whose customers then write. */
  async function openLink(link: string): Promise<void> {
    await signUp({ url, simulatorUrl }, link, signal)
    const { channel } = (await call('GET', `/api/v1/channels/${known.id}`)) as { channel: Record<string, string> }
    known.phone_number_id = channel.phone_number_id
    known.waba_id = channel.waba_id
    for (const from of CUSTOMERS) {
      await writeAsCustomer({ url, simulatorUrl }, { from, to: known.phone_number_id ?? '', text: 'Olá' }, signal)
    }
  }

  return {
    openLink,

    async createConnectedChannel(name: string): Promise<void> {
      const { channel } = (await call('POST', '/api/v1/channels', { name })) as { channel: Record<string, string> }
      known.id = channel.id
      known.token = channel.token
      const { connect_url } = await call('POST', `/api/v1/channels/${known.id}/connect-link`)
      await openLink(String(connect_url))
    },

    async createTemplate(): Promise<void> {
      const { template } = (await call('POST', `/api/v1/channels/${known.id}/templates`, REMINDER)) as {
        template: Json
      }
      await call('POST', `/_sim/templates/${template.id}`, { status: 'APPROVED' })
    },

    /** Pays the open checkout, until the plan is active. */
    async pay(): Promise<void> {
      const sessions = (await call('GET', '/_sim/payments/objects/checkout_sessions')).checkout_sessions as Json[]
      const open = sessions.findLast(({ status }) => status === 'open')
      await call('POST', `/_sim/payments/checkout/${open?.id}`, { card: CARD })
      await waitFor('the paid plan', signal, async () => {
        const { subscription } = (await call('GET', '/api/v1/subscription')) as { subscription: Json }
        return subscription.status === 'active' || undefined
      })
    },

    async findReceived(): Promise<string> {
      return waitFor('a received message', signal, async () => {
        const { messages } = await call('GET', `/api/v1/channels/${known.id}/messages?direction=inbound&limit=1`)
        return (messages as Record<string, string>[])[0]?.id
      })
    },

    async findDelivery(): Promise<string> {
      return waitFor('a delivery that succeeded', signal, async () => {
        const { deliveries } = await call('GET', `/api/v1/webhooks/${known.webhook_id}/deliveries`)
        return (deliveries as Record<string, string>[]).find(({ status }) => status === 'succeeded')?.id
      })
    },

    /** A token for the rest of the guide, which has shown how to give it fewer scopes. */
    async renewToken(): Promise<string> {
      const renewed = await call('POST', `/api/v1/channels/${known.id}/regenerate-token`, { scopes: FACADE_SCOPES })
      return String((renewed.channel as Json | undefined)?.token ?? renewed.token)
    },

    clearFaults: () => call('DELETE', '/_sim/faults'),
  }
}
