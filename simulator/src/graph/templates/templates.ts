import { asObject, asText, type Json, type JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { type Endpoint, SUCCESS } from '../http/call.ts'
import { invalid, missingObject, required, templateRefusal } from '../http/errors.ts'
import { type Members, parseFields, selectFields } from '../http/fields.ts'
import { buildPage } from '../http/paging.ts'
import { requireChoice, requireText } from '../http/parameters.ts'
import { type Account, HOUR_MS, type Template } from '../model.ts'
import { deleteTemplate, startReview } from './template-review.ts'
import { checkTemplate } from './template-rules.ts'

export const CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY']
const DEFAULTS = ['name', 'parameter_format', 'components', 'language', 'status', 'category', 'id']
const CREATIONS_PER_HOUR = 100
const TEMPLATES_MAX = { verified: 6_000, unverified: 250 }

/** The filters of a template list, by parameter. */
const FILTERS: Readonly<Record<string, (template: Template, values: string[]) => boolean>> = {
  name: (template, values) => values.includes(template.name),
  status: (template, values) => values.includes(template.status),
  category: (template, values) => values.includes(template.category),
  language: (template, values) => values.includes(template.language),
  quality_score: (template, values) => values.includes(template.quality),
  content: (template, values) => values.some((text) => JSON.stringify(template.components).includes(text)),
  name_or_content: (template, values) =>
    values.some((text) => template.name.includes(text) || JSON.stringify(template.components).includes(text)),
}

export const listTemplates: Endpoint<'account'> = (graph, call) => {
  const { node: account, params } = call
  const filters = Object.entries(FILTERS).filter(([name]) => params[name] !== undefined)
  const templates = ownTemplates(graph, account)
    .filter((template) => filters.every(([name, keeps]) => keeps(template, parseValues(params[name]))))
    .reverse()
  const show = (template: Template) => templateNode(template, params.fields)
  const page = buildPage(graph, call, `${account.id}/message_templates`, templates, show)
  return params.summary === undefined
    ? page
    : { ...page, summary: summarize(graph, account, params.summary, templates) }
}

export const getTemplate: Endpoint<'template'> = (_graph, { node, params }) => templateNode(node, params.fields)

/** `total_count` is that of the filtered list, the other counts are those of the account. */
function summarize(graph: Graph, account: Account, requested: Json, listed: Template[]): JsonObject {
  const members: Members = {
    total_count: () => listed.length,
    message_template_count: () => ownTemplates(graph, account).length,
    message_template_limit: () => getTemplatesMax(account),
    are_translations_complete: () => true,
  }
  const fields = parseFields(asText(requested))
  return Object.fromEntries(
    fields.map((field) => {
      const member = members[field.name]
      if (!member) throw invalid(`Param summary has the unknown field ${field.name}`)
      return [field.name, member(field)]
    }),
  )
}

function parseValues(value: Json): string[] {
  return Array.isArray(value) ? value.map(asText) : asText(value).split(',')
}

function templateNode(template: Template, fields: Json): JsonObject {
  const members: Members = {
    id: () => template.id,
    name: () => template.name,
    parameter_format: () => template.parameterFormat,
    components: () => template.components,
    language: () => template.language,
    status: () => template.status,
    category: () => template.category,
    sub_category: () => undefined,
    previous_category: () => template.previousCategory,
    correct_category: () => undefined,
    quality_score: () => ({ score: template.quality || 'UNKNOWN', date: Math.floor(template.createdAt / 1_000) }),
    rejected_reason: () => template.rejectedReason,
    message_send_ttl_seconds: () => template.ttlSeconds,
    cta_url_link_tracking_opted_out: () => false,
    library_template_name: () => undefined,
    degrees_of_freedom_spec: () => undefined,
  }
  return selectFields(members, fields, DEFAULTS, 'WhatsAppMessageTemplate')
}

export const createTemplate: Endpoint<'account'> = (graph, { node: account, params }) => {
  const name = requireText(params, 'name', '')
  if (!/^[a-z0-9_]{1,512}$/.test(name))
    throw invalid('Param name must have only lower-case letters, digits and underscores')
  const language = requireText(params, 'language', '')
  if (!/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(language))
    throw invalid(`Param language is not a known locale: ${language}`)
  const category = requireChoice(asText(params.category).toUpperCase(), 'category', CATEGORIES)
  const parameterFormat = asText(params.parameter_format).toUpperCase() === 'NAMED' ? 'NAMED' : 'POSITIONAL'
  const components = parseComponents(params)
  checkTemplate({ category, parameterFormat, components }, graph.state.handles)
  checkLimits(graph, account, name, language)

  const template: Template = {
    // Above 2^53, so that clients which parse ids as doubles fail.
    id: `9${graph.random.digits(16)}`,
    wabaId: account.id,
    name,
    language,
    category,
    previousCategory: undefined,
    parameterFormat,
    components,
    status: 'PENDING',
    quality: '',
    rejectedReason: 'NONE',
    ttlSeconds: parseTtl(params.message_send_ttl_seconds, category),
    createdAt: graph.clock.now(),
  }
  graph.state.templates.set(template.id, template)
  account.templateCreations.push(graph.clock.now())
  startReview(graph, template)
  return { id: template.id, status: template.status, category }
}

export function parseComponents(params: JsonObject): JsonObject[] {
  if (params.components === undefined) throw required('components')
  if (!Array.isArray(params.components)) throw invalid('Param components must be an array.')
  return params.components.map(asObject)
}

function getTemplatesMax({ verificationStatus }: Account): number {
  return verificationStatus === 'verified' ? TEMPLATES_MAX.verified : TEMPLATES_MAX.unverified
}

function checkLimits(graph: Graph, account: Account, name: string, language: string): void {
  const now = graph.clock.now()
  account.templateCreations = account.templateCreations.filter((moment) => moment > now - HOUR_MS)
  const own = ownTemplates(graph, account)
  if (account.templateCreations.length >= CREATIONS_PER_HOUR || own.length >= getTemplatesMax(account)) {
    throw templateRefusal(2388019, 'Template limit exceeded', 'Too many templates were created for this account.')
  }
  const existing = own.find((template) => template.name === name && template.language === language)
  if (!existing && now < (account.blockedNames.get(name) ?? 0)) {
    throw templateRefusal(2388023, 'Name is being deleted', 'This name cannot be used for 30 days after its deletion.')
  }
  if (existing) {
    throw templateRefusal(
      2388024,
      'Content in this language already exists',
      `There is already ${language} content for this name.`,
    )
  }
}

const TTL_SECONDS: Readonly<Record<string, [min: number, max: number]>> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
}

export function parseTtl(value: Json, category: string): number | undefined {
  if (value === undefined) return undefined
  const seconds = Number(value)
  const [min, max] = TTL_SECONDS[category] ?? [0, 0]
  if (seconds === -1 || (seconds >= min && seconds <= max)) return seconds
  throw invalid(`Param message_send_ttl_seconds must be between ${min} and ${max} for ${category} templates`)
}

/** Deletes all languages of a name, or only the one with `hsm_id`. */
export const deleteTemplates: Endpoint<'account'> = (graph, { node: account, params }) => {
  const { name, hsm_id: id } = params
  if (name === undefined) throw required('name')
  const matches = ownTemplates(graph, account).filter((template) => {
    return template.name === asText(name) && (id === undefined || template.id === asText(id))
  })
  if (matches.length === 0) {
    if (id !== undefined) throw missingObject('delete', asText(id))
    throw templateRefusal(2593002, 'Message template not found', 'There is no template with this name.')
  }
  if (matches.some((template) => template.status === 'DISABLED')) {
    throw templateRefusal(2388039, 'Template cannot be deleted', 'A disabled template cannot be deleted.')
  }
  for (const template of matches) deleteTemplate(graph, template)
  return SUCCESS
}

function ownTemplates(graph: Graph, account: Account): Template[] {
  return [...graph.state.templates.values()].filter((template) => template.wabaId === account.id)
}
