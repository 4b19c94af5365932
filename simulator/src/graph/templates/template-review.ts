import type { JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { DAY_MS, type Template } from '../model.ts'

const NAME_BLOCK_MS = 30 * DAY_MS

/** The review rejects names with this prefix, for rejections without the control API. */
const REJECTED_PREFIX = 'rejected_'

export function startReview(graph: Graph, template: Template): void {
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
  const isRejected = status === 'REJECTED'
  // A pause that ends makes a template approved again.
  const isReinstated = status === 'REINSTATED' || (status === 'APPROVED' && template.status === 'PAUSED')
  const isPaused = status === 'PAUSED'
  if (isPaused) template.pauses = (template.pauses ?? 0) + 1
  template.status = isReinstated ? 'APPROVED' : status
  template.rejectedReason = isRejected ? reason : 'NONE'
  if (status === 'APPROVED' && template.quality === '') template.quality = 'UNKNOWN'
  emitTemplate(graph, template, 'message_template_status_update', {
    event: isReinstated ? 'REINSTATED' : status,
    reason: template.rejectedReason,
    message_template_category: template.category,
    other_info: isPaused
      ? { title: template.pauses === 1 ? 'FIRST_PAUSE' : 'SECOND_PAUSE', description: 'The template has low quality.' }
      : isReinstated
        ? { title: 'UNPAUSE', description: 'The template can be sent again.' }
        : undefined,
    rejection_info: isRejected ? { reason, recommendation: 'Edit the template and submit it again.' } : undefined,
  })
}

export function setTemplateQuality(graph: Graph, template: Template, quality: string): void {
  const previous = template.quality
  template.quality = quality
  emitTemplate(graph, template, 'message_template_quality_update', {
    previous_quality_score: previous,
    new_quality_score: quality,
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

export function deleteTemplate(graph: Graph, template: Template): void {
  const account = graph.state.accounts.get(template.wabaId)
  if (template.status !== 'PENDING' && template.status !== 'REJECTED') {
    account?.blockedNames.set(template.name, graph.clock.now() + NAME_BLOCK_MS)
  }
  graph.state.templates.delete(template.id)
  setTemplateStatus(graph, template, 'DELETED')
}

/** In webhooks the template id is an integer above 2^53. */
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
