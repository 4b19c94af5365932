import { STATUS_CODES } from 'node:http'
import { type TSchema, Type } from 'typebox'
import { UNSENDABLE_STATUSES } from '../../domains/templates/sendability/report.ts'
import { ERROR_STATUS, type ErrorCode, SENTENCES } from '../../kernel/errors.ts'
import { MessageParameters, nullable, Timestamp, Uuid } from '../../kernel/http/schemas.ts'
import { nameSchema, toPascalCase } from './component-names.ts'

const text = Type.Optional(nullable(Type.String()))
const number = Type.Optional(nullable(Type.Integer()))

const Issues = Type.Array(
  Type.Object({
    path: Type.String({ description: 'A JSON pointer to the value.' }),
    message: Type.String(),
    reason: Type.Optional(
      Type.String({ description: 'The reason why the value is wrong, in snake_case, to translate the message by.' }),
    ),
    parameters: Type.Optional(MessageParameters),
  }),
)

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

/** The members that `details` of a code has besides the reason and its parameters. */
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
  QUOTA_EXCEEDED: Type.Object({ quota: Type.String(), limit: Type.Integer(), used: Type.Integer() }),
  ADDON_NOT_ALLOWED: nullable(Type.Object({ min: Type.Integer(), max: Type.Integer() })),
  SEND_RESULT_UNKNOWN: Type.Object({ message_id: Uuid }),
  TEMPLATE_NOT_SENDABLE: Type.Object({
    name: Type.String(),
    language: Type.String(),
    status: Type.Enum([...UNSENDABLE_STATUSES], { type: 'string' }),
    since: Timestamp,
  }),
  UPSTREAM_REJECTED: upstream,
  RATE_LIMITED: upstream,
  UPSTREAM_UNAVAILABLE: upstream,
}

const RESPONSES = '#/components/responses/'

/** After these statuses a client may try again. */
const RETRY_STATUSES: number[] = [429, 503]
const RETRY_AFTER = {
  'Retry-After': { schema: Type.Integer(), description: 'Seconds to wait before the next attempt.' },
}

/** A list of codes in a description begins with these words. */
export const ERRORS_HEADING = 'Errors:'

/** The codes of an operation by status, in the order of the statuses. */
export type CodesByStatus = Record<string, ErrorCode[]>

/** The one schema of every failure of the hub. With it `x-error-codes` says which codes there are. */
const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.String({
        description:
          'A stable code to branch on. Each operation lists the codes that it can answer. New versions of the hub may add codes.',
      }),
      message: Type.String({ description: 'An explanation for people. Its text may change.' }),
      request_id: Type.String({
        format: 'uuid',
        description: "The hub's id of the request, for questions to its operator.",
      }),
      details: nullable(
        Type.Object(
          {
            reason: Type.Optional(
              Type.String({
                description:
                  'The reason why the error has its code, in snake_case, to translate the message by. A reason is never renamed. New versions of the hub add reasons.',
              }),
            ),
            parameters: Type.Optional(MessageParameters),
          },
          {
            additionalProperties: true,
            description: 'The reason of the error, and what its code adds. Null in hubs of an earlier version.',
          },
        ),
      ),
      error_subcode: Type.Optional(
        Type.Integer({ description: 'Given under `/upstream` only: the subcode of the upstream.' }),
      ),
      error_data: Type.Optional(
        Type.Unknown({ description: 'Given under `/upstream` only: the data of the upstream.' }),
      ),
      fbtrace_id: Type.Optional(
        Type.String({ description: "Given under `/upstream` only: the upstream's id of the request." }),
      ),
      type: Type.Optional(
        Type.String({ description: 'Given under `/upstream` only: the type of error of the upstream.' }),
      ),
    }),
  },
  { description: 'A failure of the hub. Every failure has this form.' },
)

/** Every code with its status, its reasons, and the schema of what it adds to the details. */
const CODES = (Object.entries(ERROR_STATUS) as [ErrorCode, number][]).map(([code, status]) => {
  const details = DETAILS[code]
  return [code, { status, reasons: Object.keys(SENTENCES[code]), ...(details && { details }) }]
})
const Envelope = nameSchema('ErrorEnvelope', { ...ErrorEnvelope, 'x-error-codes': Object.fromEntries(CODES) })

export function groupCodes(codes: readonly ErrorCode[]): CodesByStatus {
  return Object.fromEntries(Map.groupBy(codes, (code) => String(ERROR_STATUS[code])))
}

/** One response for each status, as a reference to `components.responses`. */
export function describeErrors(codes: CodesByStatus): Record<string, { $ref: string }> {
  return Object.fromEntries(Object.keys(codes).map((status) => [status, { $ref: `${RESPONSES}${nameStatus(status)}` }]))
}

export function listInMarkdown(codes: CodesByStatus): string {
  const lines = Object.entries(codes).map(
    ([status, group]) => `- ${status}: ${group.map((code) => `\`${code}\``).join(', ')}`,
  )
  return [ERRORS_HEADING, '', ...lines].join('\n')
}

/** A response for each status that a code has. */
export function buildErrorResponses(): Record<string, object> {
  const statuses = [...new Set(Object.values(ERROR_STATUS))].sort()
  return Object.fromEntries(statuses.map((status) => [nameStatus(String(status)), buildResponse(status)]))
}

function buildResponse(status: number) {
  return {
    description: `${STATUS_CODES[status]}. \`error.code\` says why.`,
    ...(RETRY_STATUSES.includes(status) && { headers: RETRY_AFTER }),
    content: { 'application/json': { schema: Envelope } },
  }
}

function nameStatus(status: string): string {
  return toPascalCase(STATUS_CODES[status] ?? '')
}
