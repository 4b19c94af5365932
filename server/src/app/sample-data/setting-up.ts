import type { Scope } from '../../domains/auth/scopes.ts'
import { buyPlan } from '../commands/billing-commands.ts'
import { COLLEAGUES, INVITED, NEW_SHOP, ORGANIZATION, OWNER, SHOPS, type Shop } from './cast.ts'
import { CRM_URL, STOCK_URL } from './receivers.ts'
import type { Caller, Scene } from './stage.ts'

const MINUTE_SECONDS = 60
/** Addresses for documentation, RFC 5737: of the people, and of their program. */
const OFFICE = '203.0.113.'
const SERVER = '198.51.100.7'
/** The sessions of an account are named by it. */
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36'

const PROGRAM_SCOPES: Scope[] = ['channels:read', 'messages:read', 'messages:send', 'templates:read', 'media:write']

type Account = { password: string; publicUrl: string; sellsPlans: boolean }
type Invitation = { invitation_url: string }
export type SampleChannel = { id: string; phoneNumberId: string; wabaId: string; shop: Shop }

/** The organization after its first hours: who works for it, what it has connected, and with what its programs call. */
export type Company = {
  organizationId: string
  ana: Caller
  bruno: Caller
  carla: Caller
  program: Caller
  channels: SampleChannel[]
  stockId: string
}

/** The first morning: Ana signs up, buys a plan, invites her colleagues, and connects the shops that she works for. */
export async function setUpCompany(scene: Scene, account: Account): Promise<Company> {
  const ana = await signUp(scene, account)
  const { data } = await scene.call<{ organization: { id: string } }>(ana, 'GET', '/console/session')
  const organizationId = data.organization.id
  await scene.advance(2 * MINUTE_SECONDS)
  if (account.sellsPlans) await buyPlan(scene.hub.context, organizationId, 'pro')
  const [bruno, carla] = await inviteColleagues(scene, ana, account)
  const channels: SampleChannel[] = []
  for (const shop of SHOPS) channels.push(await connectShop(scene, bruno, shop))
  const program = await createKeys(scene, bruno)
  const stockId = await createWebhooks(scene, carla)
  for (const channel of channels) await createTemplates(scene, carla, channel)
  return { organizationId, ana, bruno, carla, program, channels, stockId }
}

async function signUp(scene: Scene, { password, publicUrl }: Account): Promise<Caller> {
  const visitor = { headers: { origin: publicUrl, 'user-agent': BROWSER }, address: `${OFFICE}11` }
  const body = { ...OWNER, password, organization_name: ORGANIZATION, time_zone: 'America/Sao_Paulo' }
  const { cookie } = await scene.call(visitor, 'POST', '/console/sign-up', body)
  return { ...visitor, headers: { ...visitor.headers, cookie } }
}

async function inviteColleagues(
  scene: Scene,
  ana: Caller,
  { password, publicUrl }: Account,
): Promise<[Caller, Caller]> {
  const callers: Caller[] = []
  for (const [index, { name, email, role }] of COLLEAGUES.entries()) {
    const { data } = await scene.call<Invitation>(ana, 'POST', '/console/invitations', { email, role })
    await scene.advance(4 * MINUTE_SECONDS)
    const visitor = { headers: { origin: publicUrl, 'user-agent': BROWSER }, address: `${OFFICE}${12 + index}` }
    const token = new URL(data.invitation_url).pathname.split('/').at(-1)
    const { cookie } = await scene.call(visitor, 'POST', `/console/join/${token}`, { name, password })
    callers.push({ ...visitor, headers: { ...visitor.headers, cookie } })
  }
  const [bruno, carla] = callers
  if (!bruno || !carla) throw new Error('The sample data has too few colleagues')
  return [bruno, carla]
}

async function connectShop(scene: Scene, by: Caller, shop: Shop): Promise<SampleChannel> {
  const body = { name: shop.name, external_id: shop.externalId }
  const { data } = await scene.call<{ channel: { id: string } }>(by, 'POST', '/api/v1/channels', body)
  await scene.advance(3 * MINUTE_SECONDS)
  const { id } = data.channel
  type Connected = { channel: { phone_number_id: string; waba_id: string } }
  const connected = await scene.call<Connected>(by, 'POST', `/console/sandbox/channels/${id}/connect`)
  const { phone_number_id: phoneNumberId, waba_id: wabaId } = connected.data.channel
  return { id, phoneNumberId, wabaId, shop }
}

async function createKeys(scene: Scene, by: Caller): Promise<Caller> {
  type Created = { api_key: { id: string }; secret: string }
  const create = (name: string, scopes: Scope[]) =>
    scene.call<Created>(by, 'POST', '/api/v1/api-keys', { name, scopes })
  const first = await create('Teste da integração', ['channels:read', 'messages:send'])
  await scene.advance(20 * MINUTE_SECONDS)
  const { data } = await create('Atendimento', PROGRAM_SCOPES)
  await create('Relatórios', ['messages:read', 'billing:read', 'audit:read'])
  await scene.call(by, 'POST', `/api/v1/api-keys/${first.data.api_key.id}/revoke`)
  return { headers: { authorization: `Bearer ${data.secret}` }, address: SERVER }
}

/** Returns the id of the one that will have bad hours. */
async function createWebhooks(scene: Scene, by: Caller): Promise<string> {
  type Created = { webhook: { id: string } }
  const create = (name: string, url: string, types: string[]) =>
    scene.call<Created>(by, 'POST', '/api/v1/webhooks', { name, url, event_types: types })
  await create('CRM', CRM_URL, ['message.received', 'message.status', 'message.sent', 'template.status'])
  const stock = await create('Estoque', STOCK_URL, ['message.received', 'message.sent', 'channel.connected'])
  return stock.data.webhook.id
}

/** The upstream approves most within minutes, and rejects one. */
async function createTemplates(scene: Scene, by: Caller, channel: SampleChannel): Promise<void> {
  const { notice, campaign } = channel.shop
  const body = { type: 'BODY', text: notice.text, example: { body_text: [notice.example] } }
  await createTemplate(scene, by, channel, { name: notice.name, category: 'UTILITY', components: [body] })
  const text = { type: 'BODY', text: campaign.text }
  const footer = { type: 'FOOTER', text: 'Responda SAIR para não receber ofertas' }
  await createTemplate(scene, by, channel, { name: campaign.name, category: 'MARKETING', components: [text, footer] })
  await scene.advance(5 * MINUTE_SECONDS)
  await scene.deliver()
}

type NewTemplate = { name: string; category: 'UTILITY' | 'MARKETING'; components: object[] }

/** A template whose review goes on is `PENDING`. */
export async function createTemplate(
  scene: Scene,
  by: Caller,
  { id }: SampleChannel,
  template: NewTemplate,
  result: 'APPROVED' | 'REJECTED' | 'PENDING' = 'APPROVED',
): Promise<string> {
  const path = `/channels/${id}/templates`
  const body = { ...template, language: 'pt_BR' }
  const { data } = await scene.call<{ template: { id: string } }>(by, 'POST', `/api/v1${path}`, body)
  await scene.advance(7 * MINUTE_SECONDS)
  const review = `/console/sandbox${path}/${data.template.id}/review`
  if (result !== 'PENDING')
    await scene.call(by, 'POST', review, { result, ...(result === 'REJECTED' && { reason: 'PROMOTIONAL' }) })
  return data.template.id
}

/** Leaves open at the end: an invitation, and a shop with a link that it has not used. */
export async function leaveOpen(scene: Scene, { ana, bruno }: Company): Promise<void> {
  await scene.call(ana, 'POST', '/console/invitations', INVITED)
  const body = { name: NEW_SHOP.name, external_id: NEW_SHOP.externalId }
  const { data } = await scene.call<{ channel: { id: string } }>(bruno, 'POST', '/api/v1/channels', body)
  await scene.call(bruno, 'POST', `/api/v1/channels/${data.channel.id}/connect-link`, { language: 'pt-BR' })
}
