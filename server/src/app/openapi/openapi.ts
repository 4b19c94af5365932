import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { serveStaticAsset } from '../../kernel/http/static-asset.ts'
import type { Access } from '../http/access-rules.ts'
import { completeDocument } from './complete-document.ts'
import { markNames, nameSchema } from './component-names.ts'
import type { Document } from './document.ts'
import { listErrorCodes } from './error-codes.ts'
import { splitDocument } from './split-document.ts'
import { TAGS } from './tags.ts'

const API_VERSION = '1.0.0'

const DESCRIPTION = `A multi-tenant hub over the WhatsApp Cloud API.
Every success is \`{data: …}\`, every failure \`{error: {code, message, request_id, details}}\`.`

const SECURITY_SCHEMES = {
  api_key: { type: 'http', scheme: 'bearer', description: 'An API key, `hub_pk_…`.' },
  channel_token: { type: 'http', scheme: 'bearer', description: 'A channel token, `hub_ch_…`, for its own channel.' },
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
  properties: { resourcePath: { type: 'string', description: "The path is one of the facade's allowlist." } },
} as const

/** Describes the routes registered after it, from the schemas that validate and serialize them. */
export async function installOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Hubline',
        version: API_VERSION,
        description: DESCRIPTION,
        contact: { name: 'The operator of the hub that serves this document' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      servers: [{ url: '/', description: 'This server is the hub that serves this document.' }],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: ({ schema, url, route }) => ({
      url: url.replace(/\*$/, ':resourcePath'),
      schema: describe(schema, route),
    }),
    transformObject: (described): object => completeDocument(Object.values(described)[0] as Document),
  })
  const files = { '/openapi.json': 'api', '/openapi-console.json': 'console' } as const
  for (const [path, part] of Object.entries(files)) {
    serveStaticAsset(app, path, {
      type: 'application/json; charset=utf-8',
      load: async () => JSON.stringify(splitDocument(app.swagger())[part]),
    })
  }
}

function describe(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema {
  const isUpload = schema?.consumes?.includes('multipart/form-data')
  const query = schema?.querystring ? { querystring: withOptionalDefaults(schema.querystring as ObjectSchema) } : {}
  const body = isUpload ? nameSchema('MediaUpload', UPLOAD) : (schema?.body as ObjectSchema | undefined)
  const described = {
    ...schema,
    ...query,
    ...(body && { body: withDescribedDefaults(markNames(body) as ObjectSchema) }),
    response: markNames(schema?.response),
    ...describeSecurity(route.config?.access),
    'x-errors': listErrorCodes(route),
  }
  return described as FastifySchema
}

type ObjectSchema = { required?: string[]; properties?: Record<string, { default?: unknown; description?: string }> }

/** A parameter with a default is required for the handler and optional for the client. */
function withOptionalDefaults(schema: ObjectSchema): ObjectSchema {
  const required = schema.required?.filter((name) => schema.properties?.[name]?.default === undefined) ?? []
  return { ...schema, required }
}

/** Generators of types take a member with a default for one that is always there, which is not so in a request. */
function withDescribedDefaults({ properties = {}, ...schema }: ObjectSchema): ObjectSchema {
  const members = Object.entries(properties).map(([name, { default: value, ...member }]) => {
    const texts = [member.description, value === undefined ? undefined : `Default: ${JSON.stringify(value)}.`]
    const description = texts.filter((text) => text !== undefined).join(' ')
    return [name, { ...member, ...(description && { description }) }]
  })
  return { ...schema, properties: Object.fromEntries(members) }
}

function describeSecurity(access: Access | undefined) {
  if (!access || 'public' in access || 'callback' in access) return { security: [] }
  if ('facade' in access) return { security: [{ channel_token: [] }], params: RESOURCE_PATH }
  if ('session' in access) return { security: [{ session: [] }], 'x-role': access.session }
  const bearers = access.channelToken ? [{ api_key: [] }, { channel_token: [] }] : [{ api_key: [] }]
  return {
    security: [...bearers, { session: [] }],
    'x-scope': access.scope,
    ...(access.alsoScope && { 'x-also-scope': access.alsoScope }),
  }
}
