import { type TSchema, Type } from 'typebox'
import { ERROR_STATUS, type ErrorCode } from '../../kernel/errors.ts'
import { nullable, Uuid } from '../../kernel/http/schemas.ts'
import { nameSchema, toPascalCase } from './component-names.ts'

const text = Type.Optional(nullable(Type.String()))
const number = Type.Optional(nullable(Type.Integer()))
const Issues = Type.Array(Type.Object({ path: Type.String({ description: 'A JSON pointer' }), message: Type.String() }))

/** The upstream's error, and the step of a connection at which it came. */
const upstream = nullable(
  Type.Object({
    step: text,
    code: number,
    error_subcode: number,
    title: text,
    details: text,
    fbtrace_id: text,
    type: text,
    error_data: Type.Optional(Type.Unknown()),
  }),
)

const file = Type.Object({ mime_type: Type.String(), bytes_max: Type.Integer() })
const choice = Type.Object({ phone_number_id: Type.String(), display_phone_number: text, verified_name: text })

/** The `details` of each code that has some; of any other they are null. */
const DETAILS: Partial<Record<ErrorCode, TSchema>> = {
  INVALID_REQUEST: nullable(
    Type.Object({
      issues: Type.Optional(Issues),
      step: Type.Optional(Type.String()),
      choices: Type.Optional(Type.Array(choice)),
      pin_required: Type.Optional(Type.Boolean()),
    }),
  ),
  INVALID_WEBHOOK: Type.Object({ issues: Issues }),
  INVALID_MEDIA: Type.Object({ allowed: Type.Array(Type.String()) }),
  MEDIA_TOO_LARGE: file,
  UNAUTHORIZED: nullable(Type.Object({ totp_required: Type.Optional(Type.Boolean()) })),
  INSUFFICIENT_SCOPE: nullable(Type.Object({ scope: Type.Optional(Type.String()) })),
  CONFLICT: nullable(Type.Object({ reason: Type.Optional(Type.String()) })),
  QUOTA_EXCEEDED: Type.Object({ quota: Type.String(), limit: Type.Integer(), used: Type.Integer() }),
  ADDON_NOT_ALLOWED: nullable(Type.Object({ min: Type.Integer(), max: Type.Integer() })),
  SEND_RESULT_UNKNOWN: Type.Object({ message_id: Uuid }),
  UPSTREAM_REJECTED: upstream,
  RATE_LIMITED: upstream,
  UPSTREAM_UNAVAILABLE: upstream,
}

/** Beside the hub's own members, where clients of the upstream look for its error; on the facade only. */
const FACADE_MEMBERS = {
  error_subcode: Type.Optional(Type.Integer()),
  error_data: Type.Optional(Type.Unknown()),
  fbtrace_id: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
}
const FACADE_CODES: ErrorCode[] = ['UPSTREAM_REJECTED', 'RATE_LIMITED']

const RESPONSES = '#/components/responses/'

/** After these statuses a client may try again. */
const RETRY_STATUSES: number[] = [429, 503]
const RETRY_AFTER = { 'Retry-After': { schema: Type.Integer(), description: 'Seconds' } }

/** One response for each status of the codes, as references to `components.responses`. */
export function describeErrors(codes: readonly ErrorCode[]): Record<string, { $ref: string }> {
  const groups = [...Map.groupBy(codes, (code) => ERROR_STATUS[code])]
  return Object.fromEntries(groups.map(([status, group]) => [status, { $ref: `${RESPONSES}${group.join('.')}` }]))
}

/** The responses that a document refers to, by their names: the codes that they may have. */
export function buildErrorResponses(document: object): Record<string, object> {
  const names = JSON.stringify(document).matchAll(/"#\/components\/responses\/([A-Z_.]+)"/g)
  const sorted = [...new Set([...names].map(([, name = '']) => name))].sort()
  return Object.fromEntries(sorted.map((name) => [name, buildResponse(name.split('.') as ErrorCode[])]))
}

function buildResponse(codes: ErrorCode[]) {
  const schemas = codes.map((code) => nameSchema(toErrorName(code), buildErrorSchema(code)))
  const isRetried = codes.some((code) => RETRY_STATUSES.includes(ERROR_STATUS[code]))
  return {
    description: codes.join(', '),
    ...(isRetried && { headers: RETRY_AFTER }),
    content: { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } },
  }
}

function toErrorName(code: ErrorCode): string {
  return `${toPascalCase(code.replace(/_ERROR$/, ''))}Error`
}

function buildErrorSchema(code: ErrorCode): TSchema {
  return Type.Object({
    error: Type.Object({
      code: Type.Literal(code),
      message: Type.String({ description: 'For people: it may change' }),
      request_id: Uuid,
      details: DETAILS[code] ?? Type.Null(),
      ...(FACADE_CODES.includes(code) && FACADE_MEMBERS),
    }),
  })
}
