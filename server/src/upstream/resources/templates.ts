import { isObject, type JsonObject, toText } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { type Page, readPage } from './paging.ts'
import { readSuccess, type Success } from './success.ts'

/** Without `fields` the upstream leaves out why a template was rejected, and its quality. */
const LISTED_FIELDS =
  'id,name,status,language,category,sub_category,previous_category,parameter_format,components,rejected_reason,quality_score,message_send_ttl_seconds'

/** The upstream's object, complete, with its id as text. */
type Template = JsonObject & { id: string }
export type NamedTemplate = { id: string; name: string }
type CreatedTemplate = { id: string; status: string | null; category: string | null }

export function createTemplateCalls({ call }: UpstreamClient) {
  return {
    list: (
      token: string,
      wabaId: string,
      { limit, after }: { limit?: number; after?: string } = {},
    ): Promise<Result<Page<Template>>> =>
      call({
        name: 'templates.list',
        method: 'GET',
        to: [wabaId, 'message_templates'],
        query: { fields: LISTED_FIELDS, limit, after },
        token,
        read: (body) => readPage(body, readTemplate),
      }),

    /** Only the ids and names, which keeps a long list short. */
    listNames: (
      token: string,
      wabaId: string,
      { limit, after }: { limit: number; after?: string },
    ): Promise<Result<Page<NamedTemplate>>> =>
      call({
        name: 'templates.listNames',
        method: 'GET',
        to: [wabaId, 'message_templates'],
        query: { fields: 'id,name', limit, after },
        token,
        read: (body) => readPage(body, readNamed),
      }),

    create: (token: string, wabaId: string, body: JsonObject): Promise<Result<CreatedTemplate>> =>
      call({
        name: 'templates.create',
        method: 'POST',
        to: [wabaId, 'message_templates'],
        json: body,
        token,
        read: readCreated,
      }),

    /** Deletes one translation with `hsm_id`, and all languages of the name without. */
    delete: (token: string, wabaId: string, which: { name: string; hsm_id?: string }): Promise<Result<Success>> =>
      call({
        name: 'templates.delete',
        method: 'DELETE',
        to: [wabaId, 'message_templates'],
        query: { name: which.name, hsm_id: which.hsm_id },
        token,
        read: readSuccess,
      }),
  }
}

function readTemplate(item: unknown): Template | undefined {
  const id = isObject(item) ? toText(item.id) : null
  return isObject(item) && id !== null ? { ...item, id } : undefined
}

function readNamed(item: unknown): NamedTemplate | undefined {
  const template = readTemplate(item)
  const name = template && toText(template.name)
  return template && typeof name === 'string' ? { id: template.id, name } : undefined
}

function readCreated(body: unknown): CreatedTemplate | undefined {
  const template = readTemplate(body)
  return template && { id: template.id, status: toText(template.status), category: toText(template.category) }
}
