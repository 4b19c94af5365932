import type { Template } from '@hubline/sdk'

export type TemplateButton = {
  type: string
  text?: string
  url?: string
  phone_number?: string
  example?: string[]
  otp_type?: string
  supported_apps?: { package_name?: string; signature_hash?: string }[]
}
export type TemplateComponent = {
  type: string
  format?: string
  text?: string
  buttons?: TemplateButton[]
  add_security_recommendation?: boolean
  code_expiration_minutes?: number
  example?: Record<string, unknown>
}

/** A template in one language, as the upstream lists it. */
export type StoredTemplate = {
  id: string
  name: string
  language: string
  category: string
  status: string
  reason: string | null
  quality: string | null
  components: TemplateComponent[]
}

/** A template in all its languages. */
export type TemplateGroup = { name: string; category: string; languages: StoredTemplate[] }

export function readTemplate(template: Template): StoredTemplate {
  const { language, category, rejected_reason, quality_score, components } = template as Record<string, unknown>
  const score = (quality_score as { score?: string } | undefined)?.score
  return {
    id: template.id,
    name: template.name ?? '',
    language: String(language ?? ''),
    category: String(category ?? ''),
    status: template.status ?? '',
    reason: typeof rejected_reason === 'string' && rejected_reason !== 'NONE' ? rejected_reason : null,
    quality: score === undefined || score === 'UNKNOWN' ? null : score,
    components: Array.isArray(components) ? (components as TemplateComponent[]) : [],
  }
}

export function groupByName(templates: readonly StoredTemplate[]): TemplateGroup[] {
  const groups = new Map<string, TemplateGroup>()
  for (const template of templates) {
    const { name, category } = template
    const group = groups.get(name) ?? { name, category, languages: [] }
    group.languages.push(template)
    groups.set(name, group)
  }
  return [...groups.values()]
}
