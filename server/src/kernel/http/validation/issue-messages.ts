import type { ErrorObject } from 'ajv'
import type { FastifySchemaValidationError } from 'fastify'
import { type Issue, toIssue } from '../../errors.ts'
import { findPatternReason } from './patterns.ts'

type ValidationError = FastifySchemaValidationError | ErrorObject
/** The reason for a value that is not of a format. */
const FORMATS = {
  uuid: 'not_uuid',
  'date-time': 'not_time',
  email: 'not_email',
  uri: 'not_url',
  iri: 'not_url',
} as const

const TYPES = {
  string: 'not_string',
  integer: 'not_integer',
  number: 'not_number',
  boolean: 'not_boolean',
  object: 'not_object',
  array: 'not_array',
  null: 'not_null',
} as const

const LENGTHS = {
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_few_items',
  maxItems: 'too_many_items',
  minProperties: 'too_few_properties',
  maxProperties: 'too_many_properties',
} as const

/** Says which value is wrong, and what to send instead. */
export function describeIssue(error: ValidationError): Issue {
  const { instancePath: path, keyword, params } = error
  switch (keyword) {
    case 'additionalProperties':
      return toIssue(`${path}/${toPointer(params.additionalProperty)}`, 'unknown_property')
    case 'required':
      return toIssue(`${path}/${toPointer(params.missingProperty)}`, 'required')
    case 'type':
      return describeType(error)
    case 'enum':
      return toIssue(path, 'not_one_of', { values: (params.allowedValues as unknown[]).join(', ') })
    case 'const':
      return toIssue(path, 'not_equal', { value: String(params.allowedValue) })
    case 'oneOf':
      return describeOneOf(error)
    case 'not':
      return toIssue(path, 'not_allowed')
    case 'uniqueItems':
      return toIssue(path, 'item_repeated')
    case 'format':
      return describeFormat(path, String(params.format))
    case 'pattern':
      return describePattern(error)
    case 'minimum':
      return toIssue(path, 'too_small', { minimum: Number(params.limit) })
    case 'maximum':
      return toIssue(path, 'too_large', { maximum: Number(params.limit) })
    default:
      return isKeyOf(LENGTHS, keyword)
        ? toIssue(path, LENGTHS[keyword], { count: Number(params.limit) })
        : toIssue(path, 'invalid')
  }
}

function describeFormat(path: string, format: string): Issue {
  return isKeyOf(FORMATS, format) ? toIssue(path, FORMATS[format]) : toIssue(path, 'not_format', { format })
}

/** A value that may have several types has a pattern, which says more than the types. */
function describeType(error: ValidationError): Issue {
  const type = String(error.params.type)
  return isKeyOf(TYPES, type) ? toIssue(error.instancePath, TYPES[type]) : describePattern(error)
}

function describePattern(error: ValidationError): Issue {
  const { pattern } = (error as ErrorObject).parentSchema ?? {}
  const reason = findPatternReason(pattern)
  return reason
    ? toIssue(error.instancePath, reason)
    : toIssue(error.instancePath, 'not_pattern', { pattern: String(pattern) })
}

/** For the schemas of `exactlyOneOf`. */
function describeOneOf(error: ValidationError): Issue {
  const { instancePath: path, params, parentSchema } = error as ErrorObject
  const members: string[] = parentSchema?.oneOf.flatMap(({ required }: { required: string[] }) => required)
  return params.passingSchemas
    ? toIssue(path, 'both_given', { members: members.join(', ') })
    : toIssue(path, 'none_given', { members: members.join(', ') })
}

function isKeyOf<T extends object>(table: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(table, key)
}

function toPointer(name: unknown): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1')
}
