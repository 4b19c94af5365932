import type { JsonObject } from '../json.ts'
import type { Graph } from './context.ts'
import { DAY_MS, HOUR_MS, type Template } from './model.ts'
import { componentOf } from './template-text.ts'

/**
 * The life of a template.
 *
 * PENDING after creation and after an edit. The review leaves it APPROVED or
 * REJECTED. Bad feedback makes an approved one PAUSED, for three hours the
 * first time and six the second, after which it is APPROVED again; the third
 * time it is DISABLED for good. Deleting removes it at once, or leaves it
 * PENDING_DELETION while messages of it are still under way; its name stays
 * blocked for thirty days if it was ever approved. Each step is told by webhook.
 */
const PAUSES = [
  { title: 'FIRST_PAUSE', ms: 3 * HOUR_MS },
  { title: 'SECOND_PAUSE', ms: 6 * HOUR_MS },
]
const NAME_BLOCK_MS = 30 * DAY_MS

/** A name that begins like this is rejected, so that a rejection can be had without the control API. */
const REJECTED_PREFIX = 'rejected_'

export function beginReview(graph: Graph, template: Template): void {
  template.status = 'PENDING'
  const { templateReviewMs } = graph.timings
  if (templateReviewMs === null) return
  graph.clock.after(templateReviewMs, () => {
    if (template.status !== 'PENDING') return
    if (template.name.startsWith(REJECTED_PREFIX)) setTemplateStatus(graph, template, 'REJECTED', 'INVALID_FORMAT')
    else setTemplateStatus(graph, template, 'APPROVED')
  })
}

export function setTemplateStatus(graph: Graph, template: Template, status: string, reason = 'NONE'): void {
  const step = status === 'PAUSED' ? pause(graph, template) : { status, title: undefined }
  template.status = step.status
  template.rejectedReason = step.status === 'REJECTED' ? reason : 'NONE'
  if (step.status === 'APPROVED' && template.quality === '') template.quality = 'UNKNOWN'
  emitTemplate(graph, template, 'message_template_status_update', {
    event: step.status,
    reason: step.status === 'REJECTED' ? reason : 'NONE',
    message_template_category: template.category,
    other_info: step.title ? { title: step.title, description: 'Paused or disabled for low quality.' } : undefined,
    rejection_info:
      step.status === 'REJECTED' ? { reason, recommendation: 'Edit the template and submit it again.' } : undefined,
  })
}

function pause(graph: Graph, template: Template): { status: string; title: string } {
  const length = PAUSES[template.pauses]
  template.pauses += 1
  if (!length) return { status: 'DISABLED', title: 'DISABLED' }
  graph.clock.after(length.ms, () => {
    if (template.status === 'PAUSED') setTemplateStatus(graph, template, 'APPROVED')
  })
  return { status: 'PAUSED', title: length.title }
}

export function setTemplateQuality(graph: Graph, template: Template, quality: string): void {
  const previous = template.quality
  template.quality = quality
  emitTemplate(graph, template, 'message_template_quality_update', {
    previous_quality_score: previous,
    new_quality_score: quality,
  })
}

/** Told when an edit has replaced what a template says. */
export function tellComponents(graph: Graph, template: Template): void {
  const [header, body, footer] = ['HEADER', 'BODY', 'FOOTER'].map((type) => componentOf(template.components, type))
  emitTemplate(graph, template, 'message_template_components_update', {
    message_template_element: body?.text,
    message_template_title: header?.text,
    message_template_footer: footer?.text,
  })
}

export function setTemplateCategory(graph: Graph, template: Template, category: string): void {
  template.previousCategory = template.category
  template.category = category
  emitTemplate(graph, template, 'template_category_update', {
    previous_category: template.previousCategory,
    new_category: category,
  })
}

export function removeTemplate(graph: Graph, template: Template): void {
  const account = graph.state.accounts.get(template.wabaId)
  if (template.status !== 'PENDING' && template.status !== 'REJECTED') {
    account?.blockedNames.set(template.name, graph.clock.now() + NAME_BLOCK_MS)
  }
  if (isUnderWay(graph, template)) {
    setTemplateStatus(graph, template, 'PENDING_DELETION')
    graph.clock.after(NAME_BLOCK_MS, () => void graph.state.templates.delete(template.id))
    return
  }
  graph.state.templates.delete(template.id)
  setTemplateStatus(graph, template, 'DELETED')
}

function isUnderWay(graph: Graph, template: Template): boolean {
  return [...graph.state.messages.values()].some(
    ({ templateId, statuses }) =>
      templateId === template.id && !statuses.some((status) => ['delivered', 'read', 'failed'].includes(status)),
  )
}

/** The template id is an integer in webhooks, and a larger one than a double can hold. */
function emitTemplate(graph: Graph, template: Template, field: string, members: JsonObject): void {
  graph.webhooks.emit({
    entryId: template.wabaId,
    wabaId: template.wabaId,
    isTimed: true,
    field,
    value: {
      message_template_id: BigInt(template.id),
      message_template_name: template.name,
      message_template_language: template.language,
      ...members,
    },
  })
}
