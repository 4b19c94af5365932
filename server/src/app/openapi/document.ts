import type { ErrorCode } from '../../kernel/errors.ts'

/** The parts of an OpenAPI document that the hub completes. */
export type Document = {
  info?: { title: string; description?: string }
  paths?: Paths
  components?: { schemas?: object; responses?: object }
  webhooks?: object
  tags?: { name: string }[]
}
export type Paths = Record<string, Record<string, Operation>>
export type Operation = {
  operationId?: string
  summary?: string
  tags?: string[]
  description?: string
  parameters?: object[]
  requestBody?: Body
  responses: Record<string, { description?: string } | { $ref: string }>
  security?: object[]
  'x-errors'?: readonly ErrorCode[]
  'x-error-codes'?: Record<string, readonly ErrorCode[]>
  'x-scope'?: string
}
export type Body = { required?: boolean; content: Record<string, { schema: Schema }> }
export type Schema = { type?: string; required?: string[]; minProperties?: number; oneOf?: object[]; anyOf?: object[] }
