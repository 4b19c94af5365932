import { randomUUID } from 'node:crypto'
import { buildPerson, FILES, type Person, PLACE, type Shop } from './cast.ts'
import type { Chance } from './chance.ts'
import type { Company, SampleChannel } from './setting-up.ts'
import type { Scene } from './stage.ts'

/** Most people are customers of one shop. */
const PEOPLE_MAX = 60
/** One of so many has left the platform, and messages to them fail. */
const GONE_EVERY = 17
const RECIPIENT_GONE = 131_026

type Sent = { status: number; data: { message: { id: string; upstream_message_id: string | null } } | undefined }
export type Conversations = ReturnType<typeof createConversations>

/** The events between customers and shops. Each takes its minutes. */
export function createConversations(scene: Scene, company: Company, chance: Chance) {
  const { organizationId, program, channels } = company
  const { sandboxPhone } = scene.hub.context
  const lots = channels.flatMap((channel) => Array.from({ length: channel.shop.weight }, () => channel))

  const pickPerson = (channel: SampleChannel) =>
    buildPerson((channels.indexOf(channel) * 13 + chance.between(0, 24)) % PEOPLE_MAX)

  async function write(
    channel: SampleChannel,
    person: Person,
    message: Parameters<typeof sandboxPhone.write>[2]['message'],
  ) {
    const customer = { phone: person.phone, name: person.name }
    await sandboxPhone.write(organizationId, channel.id, { customer, message })
    await scene.advance(chance.between(6, 50))
  }

  /** Returns the id by which the upstream knows the message. */
  async function send(channel: SampleChannel, person: Person, content: object): Promise<string | null> {
    const caller = { ...program, headers: { ...program.headers, 'idempotency-key': randomUUID() } }
    const url = `/api/v1/channels/${channel.id}/messages`
    const { data }: Sent = await scene.ask(caller, 'POST', url, { to: person.phone, ...content })
    await scene.advance(chance.between(8, 60))
    return data?.message.upstream_message_id ?? null
  }

  const say = (channel: SampleChannel, person: Person, body: string) =>
    send(channel, person, { type: 'text', text: { body } })

  async function offer(channel: SampleChannel, person: Person, { text, choices, confirmation }: Shop['offer']) {
    const buttons = choices.map((title, index) => ({ type: 'reply', reply: { id: `choice-${index + 1}`, title } }))
    const interactive = { type: 'button', body: { text }, action: { buttons } }
    const messageId = await send(channel, person, { type: 'interactive', interactive })
    if (messageId === null || chance.is(0.2)) return
    const choice = `choice-${chance.is(0.8) ? 1 : 2}`
    await write(channel, person, { type: 'button_reply', button_reply: { message_id: messageId, id: choice } })
    await say(channel, person, confirmation)
  }

  function sendTemplate(channel: SampleChannel, person: Person, name: string, parameters: string[] = []) {
    const body = { type: 'body', parameters: parameters.map((text) => ({ type: 'text', text })) }
    const components = parameters.length > 0 ? [body] : []
    return send(channel, person, { type: 'template', template: { name, language: { code: 'pt_BR' }, components } })
  }

  return {
    /** Some people never read, one in a while has left the platform, and one wants no offers. */
    async prepare(): Promise<void> {
      for (let index = 0; index < PEOPLE_MAX; index++) {
        const isGone = index % GONE_EVERY === GONE_EVERY - 1
        const behavior = { reads: chance.is(0.75), ...(isGone && { fails_with: RECIPIENT_GONE }) }
        const person = { stopped_marketing: chance.is(0.08), behavior }
        await scene.control('PUT', `/contacts/${buildPerson(index).phone}`, person)
      }
    },

    /** A customer asks, and the shop answers; sometimes there is more to it. */
    async talk(): Promise<void> {
      await scene.advance(chance.between(5, 90))
      const channel = chance.pick(lots)
      const person = pickPerson(channel)
      const [question, answer] = chance.pick(channel.shop.exchanges)
      await write(channel, person, { type: 'text', text: { body: question } })
      if (chance.is(0.18)) await write(channel, person, chance.pick(FILES))
      if (chance.is(0.94)) await say(channel, person, answer)
      if (chance.is(0.22)) await offer(channel, person, channel.shop.offer)
      else if (chance.is(0.25)) await write(channel, person, { type: 'text', text: { body: 'Perfeito, obrigado! 🙏' } })
    },

    /** The shop tells a customer of an order. */
    async notify(): Promise<void> {
      await scene.advance(chance.between(5, 90))
      const channel = chance.pick(lots)
      const { notice } = channel.shop
      const person = pickPerson(channel)
      await sendTemplate(channel, person, notice.name, [person.firstName, notice.example[1] ?? ''])
    },

    /** A shop writes to many of its customers, and some answer. */
    async campaign(index: number, count: number): Promise<void> {
      const channel = channels[index % channels.length]
      if (!channel) return
      const first = channels.indexOf(channel) * 13
      const people = Array.from({ length: count }, (_, recipient) => buildPerson((first + recipient) % PEOPLE_MAX))
      const address = async (person: Person) => {
        await sendTemplate(channel, person, channel.shop.campaign.name)
        if (chance.is(0.15)) await write(channel, person, { type: 'text', text: { body: 'Tenho interesse!' } })
      }
      await Promise.all(people.map(address))
    },

    /** A customer sends a place, which the CRM does not understand. */
    async sendPlace(): Promise<void> {
      const channel = chance.pick(lots)
      const person = pickPerson(channel)
      await write(channel, person, { type: 'text', text: { body: 'Vocês entregam aqui?' } })
      await write(channel, person, PLACE)
      await say(channel, person, 'Entregamos sim! Chega em uns 40 minutos.')
    },

    /** A shop writes without a template to somebody who has not written for a day. */
    async writeTooLate(): Promise<void> {
      const channel = chance.pick(lots)
      await say(channel, buildPerson(PEOPLE_MAX + chance.between(0, 5)), 'Oi! Você ainda tem interesse?')
    },

    /** The program makes the mistakes that programs make. */
    async err(): Promise<void> {
      const [channel] = channels
      if (!channel) return
      const caller = { ...program, headers: { ...program.headers, 'idempotency-key': randomUUID() } }
      const messages = `/api/v1/channels/${channel.id}/messages`
      await scene.ask(caller, 'POST', messages, { to: '55 (11) 98811-0000', type: 'text', text: { body: 'Olá' } })
      await scene.ask(program, 'GET', `/api/v1/channels/${randomUUID()}`)
      await scene.ask(program, 'GET', '/api/v1/channels')
    },
  }
}
