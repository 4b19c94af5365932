import { asText, type JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { type Endpoint, SUCCESS } from '../http/call.ts'
import { invalid, templateRefusal } from '../http/errors.ts'
import { requireChoice } from '../http/parameters.ts'
import { DAY_MS, type Template } from '../model.ts'
import { startReview } from './template-review.ts'
import { checkTemplate } from './template-rules.ts'
import { CATEGORIES, parseComponents, parseTtl } from './templates.ts'

const EDITABLE = ['APPROVED', 'REJECTED', 'PAUSED']
const MEMBERS = ['category', 'components', 'message_send_ttl_seconds']
const APPROVED_EDITS_MAX = 10

/** Replaces all components. A changed text or category is reviewed again. */
export const editTemplate: Endpoint<'template'> = (graph, { node: template, params }) => {
  if (!MEMBERS.some((name) => params[name] !== undefined)) throw invalid(`One of ${MEMBERS.join(', ')} is required.`)
  if (!EDITABLE.includes(template.status)) {
    throw editRefusal(`A template that is ${template.status} cannot be edited.`)
  }
  const category = parseCategory(template, params)
  const components = params.components === undefined ? template.components : parseComponents(params)
  checkTemplate({ category, parameterFormat: template.parameterFormat, components }, graph.state.handles)
  const ttlSeconds = parseTtl(params.message_send_ttl_seconds, category) ?? template.ttlSeconds
  if (template.status === 'APPROVED') countEdit(graph, template)

  Object.assign(template, { category, components, ttlSeconds })
  if (params.components !== undefined || params.category !== undefined) startReview(graph, template)
  return SUCCESS
}

function parseCategory(template: Template, { category }: JsonObject): string {
  if (category === undefined) return template.category
  const wanted = requireChoice(asText(category).toUpperCase(), 'category', CATEGORIES)
  if (template.status === 'APPROVED' && wanted !== template.category) {
    throw invalid('The category of an approved template cannot be changed.')
  }
  return wanted
}

/** An approved template can be edited once a day and ten times in thirty days. */
function countEdit({ clock }: Graph, template: Template): void {
  const now = clock.now()
  const recent = (template.edits ?? []).filter((moment) => moment > now - 30 * DAY_MS)
  const isTooSoon = recent.some((moment) => moment > now - DAY_MS)
  if (isTooSoon || recent.length >= APPROVED_EDITS_MAX) {
    throw editRefusal('An approved template can be edited once in 24 hours and 10 times in 30 days.')
  }
  template.edits = [...recent, now]
}

function editRefusal(explanation: string) {
  return templateRefusal(2388039, 'Message template cannot be edited', explanation)
}
