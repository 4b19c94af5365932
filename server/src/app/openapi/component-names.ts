import * as apiKeys from '../../domains/api-keys/schemas.ts'
import * as audit from '../../domains/audit/schemas.ts'
import * as accounts from '../../domains/auth/account/schemas.ts'
import * as emailVerifications from '../../domains/auth/email-verifications/schemas.ts'
import * as passwordResets from '../../domains/auth/password-resets/schemas.ts'
import * as sessions from '../../domains/auth/sessions/schemas.ts'
import * as addons from '../../domains/billing/addons/schemas.ts'
import * as checkout from '../../domains/billing/checkout/schemas.ts'
import * as invoices from '../../domains/billing/invoices/schemas.ts'
import * as plans from '../../domains/billing/plans/schemas.ts'
import * as portal from '../../domains/billing/portal/schemas.ts'
import * as subscriptions from '../../domains/billing/subscriptions/schemas.ts'
import * as channels from '../../domains/channels/schemas.ts'
import * as connectLinks from '../../domains/connect-links/schemas.ts'
import * as budgets from '../../domains/costs/budgets/schemas.ts'
import * as costs from '../../domains/costs/report/schemas.ts'
import * as reportedCosts from '../../domains/costs/reported/schemas.ts'
import * as facade from '../../domains/facade/description.ts'
import * as templateConsole from '../../domains/facade/template-schemas.ts'
import * as inbound from '../../domains/inbound/schemas.ts'
import * as liveUpdates from '../../domains/live-updates/schemas.ts'
import * as media from '../../domains/media/schemas.ts'
import * as carousels from '../../domains/messages/body/carousel.ts'
import * as contactCards from '../../domains/messages/body/contacts.ts'
import * as interactives from '../../domains/messages/body/interactive.ts'
import { Location } from '../../domains/messages/body/location.ts'
import { Audio, Document, File, Image, NamedFile, Sticker, Video } from '../../domains/messages/body/media.ts'
import {
  AddressedMessageBody,
  MarketingMessageBody,
  MessageBody,
  Reaction,
  Text,
} from '../../domains/messages/body/message-body.ts'
import * as messageTemplates from '../../domains/messages/body/template.ts'
import * as consoleMessages from '../../domains/messages/console/schemas.ts'
import * as messageContents from '../../domains/messages/message-content.ts'
import * as messages from '../../domains/messages/schemas.ts'
import * as numbers from '../../domains/numbers/schemas.ts'
import * as offboarding from '../../domains/offboarding/schemas.ts'
import * as onboarding from '../../domains/onboarding/schemas.ts'
import * as invitations from '../../domains/organizations/invitations/schemas.ts'
import * as members from '../../domains/organizations/members/schemas.ts'
import * as organizations from '../../domains/organizations/schemas.ts'
import * as settings from '../../domains/organizations/settings/schemas.ts'
import * as setup from '../../domains/organizations/setup/schemas.ts'
import * as signUp from '../../domains/organizations/sign-up/schemas.ts'
import * as activity from '../../domains/overview/activity/schemas.ts'
import * as attention from '../../domains/overview/attention/schemas.ts'
import * as figures from '../../domains/overview/figures/schemas.ts'
import * as erasures from '../../domains/privacy/erasures/schemas.ts'
import * as privacy from '../../domains/privacy/schemas.ts'
import * as requestLog from '../../domains/request-log/schemas.ts'
import * as sandbox from '../../domains/sandbox/schemas.ts'
import * as templates from '../../domains/templates/schemas.ts'
import * as webhooks from '../../domains/webhooks/endpoints/schemas.ts'
import * as inspectors from '../../domains/webhooks/inspector/schemas.ts'
import * as listeners from '../../domains/webhooks/listeners/schemas.ts'
import * as deliveries from '../../domains/webhooks/log/schemas.ts'
import { CompatLifecycle } from '../../domains/webhooks/publishing/compat-payload.ts'
import { findDocumented } from '../../kernel/http/schemas.ts'
import * as probes from '../http/probes.ts'
import { simplify } from './simplify.ts'

/** Schemas with a name in the document: that of their export. A request or a response has one. */
const MODULES: Record<string, unknown>[] = [
  accounts,
  activity,
  addons,
  apiKeys,
  attention,
  audit,
  budgets,
  channels,
  checkout,
  connectLinks,
  consoleMessages,
  costs,
  deliveries,
  emailVerifications,
  erasures,
  facade,
  figures,
  inbound,
  inspectors,
  invitations,
  invoices,
  listeners,
  liveUpdates,
  media,
  members,
  messages,
  numbers,
  offboarding,
  onboarding,
  organizations,
  passwordResets,
  plans,
  portal,
  privacy,
  probes,
  reportedCosts,
  requestLog,
  sandbox,
  sessions,
  settings,
  setup,
  signUp,
  subscriptions,
  templateConsole,
  templates,
  webhooks,
  carousels,
  contactCards,
  interactives,
  messageContents,
  messageTemplates,
  { CompatLifecycle, MessageBody, AddressedMessageBody, MarketingMessageBody },
  {
    FileReference: File,
    NamedFileReference: NamedFile,
    OutgoingAudio: Audio,
    OutgoingDocument: Document,
    OutgoingImage: Image,
    OutgoingLocation: Location,
    OutgoingReaction: Reaction,
    OutgoingSticker: Sticker,
    OutgoingText: Text,
    OutgoingVideo: Video,
  },
]

/** A union whose variants are not all objects, and these. */
const VARIANTS: Record<string, object> = {
  ContactsContent: messageContents.ContactsContent,
  MessageContent: messageContents.MessageContent,
}

type Schema = Record<string, unknown>
type Union = { discriminator: { propertyName: string }; oneOf: Variant[] }
type Variant = Schema & { title?: string; properties: Record<string, { const?: string; enum?: string[] }> }

/** Marks a named schema until the document is complete. */
const NAME = 'x-component'
/** With another value of one of these a schema is not a copy of one with the same members. */
const OPTIONS = ['additionalProperties', 'minProperties', 'description']

/** Reversed, so that of two exports of one schema the first gives the name. */
const named = new Map<unknown, { name: string; schema: Schema }>(
  MODULES.flatMap((module) => Object.entries(module).filter((entry): entry is [string, Schema] => isNamed(entry[1])))
    .toReversed()
    .map(([name, schema]) => [identify(schema), { name, schema }]),
)

const variants = new Map<unknown, string>(Object.entries(VARIANTS).map(([name, schema]) => [schema, name]))

/** Objects and unions only: a name for a text or a number says less than what it is. */
function isNamed(value: unknown): boolean {
  return isSchema(value) && (value.type === 'object' || 'then' in value)
}

/** Copies of a schema, such as the one that `Type.Optional` makes, have this in common. */
function identify(schema: Schema): unknown {
  const { oneOf, then, properties } = schema
  if (Array.isArray(oneOf) && oneOf.some((variant) => 'properties' in variant)) return oneOf
  return then ?? properties
}

function findName(schema: Schema): string | undefined {
  const variant = variants.get(schema)
  if (variant !== undefined) return variant
  const found = named.get(identify(schema))
  const isCopy = OPTIONS.every((option) => found?.schema[option] === schema[option])
  return isCopy ? found?.name : undefined
}

export function nameSchema(name: string, schema: object): object {
  return { ...(markNames(schema) as object), [NAME]: name }
}

/** A copy in which each named schema is marked with its name. The variants of a named union get names from both. */
export function markNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(markNames)
  if (!isSchema(value)) return value
  const shown = findDocumented(value)
  if (shown) return markNames(shown)
  const name = findName(value)
  const copy = mapMembers(value, markNames)
  if (name === undefined) return copy
  if (isUnion(copy)) copy.oneOf = copy.oneOf.map((variant) => markVariant(variant, name))
  return { ...copy, [NAME]: name }
}

function markVariant(variant: Variant, union: string): Variant {
  const title = 'type' in variant ? variant.title : 'other'
  return { [NAME]: `${toPascalCase(title ?? '')}${union}`, ...variant }
}

export function toPascalCase(text: string): string {
  return text.toLowerCase().replace(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Replaces each named schema of a document by a reference, and adds the schemas to it by name. */
export function extractComponents<D extends { components?: object }>(document: D): D {
  const schemas = new Map<string, Schema>()

  function extract(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(extract)
    if (!isSchema(value)) return value
    const { [NAME]: name, ...members } = simplify(value)
    const schema = { ...mapMembers(members, extract), ...describeDiscriminator(members) }
    if (typeof name !== 'string') return schema
    const known = schemas.get(name)
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two schemas have the name ${name}`)
    schemas.set(name, schema)
    return toReference(name)
  }

  const extracted = extract(markNames(document)) as D
  const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...extracted, components: { ...extracted.components, schemas: Object.fromEntries(sorted) } }
}

/** The schema that each value of the member names. */
function describeDiscriminator(schema: Schema): object {
  if (!isUnion(schema)) return {}
  const { propertyName } = schema.discriminator
  const entries = schema.oneOf.flatMap(({ [NAME]: name, properties }) => {
    if (typeof name !== 'string') throw new Error(`A variant of a union has no name: ${JSON.stringify(properties)}`)
    const { const: only, enum: several = [] } = properties[propertyName] ?? {}
    return [only ?? several].flat().map((value) => [value, toReference(name).$ref])
  })
  return { discriminator: { propertyName, mapping: Object.fromEntries(entries) } }
}

function toReference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}

function isUnion(schema: Schema): schema is Schema & Union {
  return 'discriminator' in schema && 'oneOf' in schema
}

function mapMembers(schema: Schema, change: (member: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(schema).map(([key, member]) => [key, change(member)]))
}
