import type { FastifySchema } from 'fastify'
import type { ErrorCode } from '../../kernel/errors.ts'
import { UPSTREAM_ERRORS } from '../../upstream/api-error.ts'
import { ALLOWLIST } from './allowlist/allowlist.ts'
import { FACADE_OPERATIONS, GraphErrorEnvelope, UpstreamObject } from './description.ts'

const tags = ['Facade']
const response = { 200: UpstreamObject }

/** One wildcard per method, since the paths are the upstream's. */
export const FACADE_SCHEMAS: Record<'GET' | 'POST' | 'DELETE', FastifySchema> = {
  GET: {
    operationId: 'readUpstream',
    summary: "Read through the facade, in the upstream's own format",
    description:
      "The channel's number and its profile, its account and the account's templates, and files that the channel uploaded or received: `{phone_number_id}`, `{phone_number_id}/whatsapp_business_profile`, `{waba_id}`, `{waba_id}/message_templates`, `{media_id}`, `{media_id}/content`. A leading version such as `v25.0/` is accepted and ignored. Any other path is 404.",
    tags,
    response,
    errors: listErrors('GET'),
  },
  POST: {
    operationId: 'writeUpstream',
    summary: "Send and write through the facade, with the upstream's own bodies",
    description:
      '`{phone_number_id}/messages`, `/media`, `/whatsapp_business_profile` (also `/messaging_business_profile`) and `/calls`; `{waba_id}/message_templates` and `/header_handle`. Each needs its scope. Any other path is 404.',
    tags,
    response,
    errors: listErrors('POST'),
  },
  DELETE: {
    operationId: 'deleteUpstream',
    summary: 'Delete a template through the facade',
    description:
      '`{waba_id}/message_templates` with `name`, and with `hsm_id` for one language only; both in the query or in a JSON body. Any other path is 404.',
    tags,
    response,
    errors: listErrors('DELETE'),
  },
}

const graphTags = ['Graph']
const graphResponse = { 200: UpstreamObject, default: GraphErrorEnvelope }

/** The same beside it, for clients that expect Meta's errors. */
export const GRAPH_SCHEMAS: Record<'GET' | 'POST' | 'DELETE', FastifySchema> = {
  GET: {
    operationId: 'readGraph',
    summary: 'Read as at Meta, with its errors and its leniency',
    description: describeGraph('GET'),
    tags: graphTags,
    response: graphResponse,
  },
  POST: {
    operationId: 'writeGraph',
    summary: 'Send and write as at Meta, with its errors and its leniency',
    description: describeGraph('POST'),
    tags: graphTags,
    response: graphResponse,
  },
  DELETE: {
    operationId: 'deleteGraph',
    summary: 'Delete as at Meta, with its errors and its leniency',
    description: describeGraph('DELETE'),
    tags: graphTags,
    response: graphResponse,
  },
}

function describeGraph(method: string): string {
  const rows = ALLOWLIST.filter((row) => row.method === method && row.mounts.includes('graph'))
  const paths = rows.map(
    ({ path }) =>
      `\`${path.replace('{phone}', '{phone_number_id}').replace(/\{(waba|media|template|app|upload)\}/, '{$1_id}')}\``,
  )
  return `${paths.join(', ')}. A leading version such as \`v25.0/\` is accepted and ignored. The channel token may be in the header, in the query or in a form. Any other path is 400 with code 100 and subcode 33.`
}

/** Lists the error codes of all paths of a method. */
function listErrors(method: string): ErrorCode[] {
  const rows = ALLOWLIST.filter((row) => row.method === method && row.mounts.includes('upstream'))
  return [...UPSTREAM_ERRORS, ...rows.flatMap(({ operation }) => FACADE_OPERATIONS[operation].errors ?? [])]
}
