/** The parts of the description of the API that the reference shows. */
export type ApiDocument = {
  paths: Record<string, Record<string, ApiOperation>>
  webhooks: Record<string, { post: ApiOperation }>
  components: { schemas: Record<string, Schema>; responses: Record<string, ApiResponse> }
  tags: { name: string; description: string }[]
}

export type ApiOperation = {
  operationId: string
  summary: string
  description?: string
  tags: [string]
  security: Record<string, unknown>[]
  'x-scope'?: string
  'x-also-scope'?: string
  'x-error-codes'?: Record<string, string[]>
  parameters?: ApiParameter[]
  requestBody?: { required?: boolean; description?: string; content: Content }
  responses: Record<string, ApiResponse>
}

export type ApiParameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

export type ApiResponse = { $ref?: string; description?: string; content?: Content }
type Content = Record<string, { schema: Schema }>

export type Schema = {
  $ref?: string
  type?: string | string[]
  title?: string
  format?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
  examples?: unknown[]
}

const SCHEMAS = '#/components/schemas/'

export function readName({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(SCHEMAS) ? $ref.slice(SCHEMAS.length) : undefined
}

/** The schema itself, or the one that it refers to. */
export function resolveSchema(document: ApiDocument, schema: Schema): Schema {
  const name = readName(schema)
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}

/** Finds the operation of a method and a path. Its parameters may be given in any form. */
export function createOperationFinder({ paths }: ApiDocument): (code: string) => string | undefined {
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      segments: path.split('/'),
    })),
  )
  return (code) => {
    const [, method, path = ''] = /^(GET|POST|PUT|PATCH|DELETE) (\/[^?`]*)/.exec(code) ?? []
    const segments = path.trim().split('/')
    const matching = known
      .filter((one) => one.method === method && one.segments.length === segments.length)
      .filter((one) => one.segments.every((part, index) => part.startsWith('{') || part === segments[index]))
    const literals = (one: (typeof known)[number]) => one.segments.filter((part) => !part.startsWith('{')).length
    return matching.sort((a, b) => literals(b) - literals(a))[0]?.id
  }
}
