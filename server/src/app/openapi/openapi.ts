import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { ErrorEnvelope } from '../../kernel/http/schemas.ts'
import { serveStaticAsset } from '../../kernel/http/static-asset.ts'
import type { Access } from '../http/access-rules.ts'
import { describeWebhooks } from './describe-webhooks.ts'

export const API_VERSION = '1.0.0'

const DESCRIPTION = `A multi-tenant hub over the WhatsApp Cloud API.
Every success is \`{data: …}\`, every failure \`{error: {code, message, request_id, details}}\`.`

const SECURITY_SCHEMES = {
  api_key: { type: 'http', scheme: 'bearer', description: 'An API key, `hub_pk_…`' },
  channel_token: { type: 'http', scheme: 'bearer', description: 'A channel token, `hub_ch_…`, for its own channel' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'hub_session',
    description: 'A signed-in person of the dashboard. On https the name of the cookie is `__Host-hub_session`.',
  },
} as const

/** The body of a route that takes a file: it is streamed, so no schema validates it. */
const UPLOAD = {
  type: 'object',
  additionalProperties: false,
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary' } },
} as const

/** The wildcard of the facade's route, which has no name in the router. */
const RESOURCE_PATH = {
  type: 'object',
  required: ['resourcePath'],
  properties: { resourcePath: { type: 'string', description: "A path of the facade's allowlist" } },
} as const

/** Describes the routes registered after it, from the schemas that validate and serialize them. */
export async function installOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Hubline', version: API_VERSION, description: DESCRIPTION, license: { name: 'MIT' } },
      servers: [{ url: '/' }],
      components: { securitySchemes: SECURITY_SCHEMES },
      webhooks: describeWebhooks(),
    },
    transform: ({ schema, url, route }) => ({
      url: url.replace(/\*$/, ':resourcePath'),
      schema: describe(schema, route.config?.access),
    }),
  })
  serveStaticAsset(app, '/openapi.json', {
    type: 'application/json; charset=utf-8',
    load: async () => JSON.stringify(app.swagger()),
  })
}

function describe(schema: FastifySchema | undefined, access: Access | undefined): FastifySchema {
  const response = { ...(schema?.response as object), default: { description: 'A failure', ...ErrorEnvelope } }
  const isUpload = schema?.consumes?.includes('multipart/form-data')
  const query = schema?.querystring ? { querystring: withOptionalDefaults(schema.querystring as ObjectSchema) } : {}
  return {
    ...schema,
    ...query,
    response,
    ...(isUpload && { body: UPLOAD }),
    ...describeSecurity(access),
  } as FastifySchema
}

type ObjectSchema = { required?: string[]; properties: Record<string, { default?: unknown }> }

/** A parameter with a default is required for the handler and optional for the client. */
function withOptionalDefaults(schema: ObjectSchema): ObjectSchema {
  const required = schema.required?.filter((name) => schema.properties[name]?.default === undefined) ?? []
  return { ...schema, required }
}

function describeSecurity(access: Access | undefined) {
  if (!access || 'public' in access || 'callback' in access) return { security: [] }
  if ('facade' in access) return { security: [{ channel_token: [] }], params: RESOURCE_PATH }
  if ('session' in access) return { security: [{ session: [] }], 'x-role': access.session }
  const bearers = access.channelToken ? [{ api_key: [] }, { channel_token: [] }] : [{ api_key: [] }]
  return { security: [...bearers, { session: [] }], 'x-scope': access.scope }
}
