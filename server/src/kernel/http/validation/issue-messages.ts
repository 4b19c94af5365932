import type { ErrorObject } from 'ajv'
import type { FastifySchemaValidationError } from 'fastify'
import type { Issue } from '../../errors.ts'

type ValidationError = FastifySchemaValidationError | ErrorObject
type Describe = (limit: number) => string

/** What a value of each format is. */
const FORMATS: Record<string, string> = {
  uuid: 'a UUID',
  'date-time': 'a time such as 2026-01-31T12:00:00Z',
  email: 'an e-mail address',
  uri: 'a complete URL',
  iri: 'a complete URL',
}

const LIMITS: Record<string, Describe> = {
  minLength: (limit) => `must have at least ${count(limit, 'character')}`,
  maxLength: (limit) => `must have at most ${count(limit, 'character')}`,
  minItems: (limit) => `must have at least ${count(limit, 'item')}`,
  maxItems: (limit) => `must have at most ${count(limit, 'item')}`,
  minProperties: (limit) => `must have at least ${count(limit, 'property', 'properties')}`,
  maxProperties: (limit) => `must have at most ${count(limit, 'property', 'properties')}`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
}

/** Where a value is wrong, and what to send instead. */
export function describeIssue(error: ValidationError): Issue {
  const { instancePath: path, keyword, params } = error
  switch (keyword) {
    case 'additionalProperties':
      return { path: `${path}/${toPointer(params.additionalProperty)}`, message: 'is not a known property' }
    case 'required':
      return { path: `${path}/${toPointer(params.missingProperty)}`, message: 'is required' }
    case 'enum':
      return { path, message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}` }
    case 'const':
      return { path, message: `must be ${String(params.allowedValue)}` }
    case 'oneOf':
      return { path, message: describeOneOf(error) }
    case 'not':
      return { path, message: 'is not allowed here' }
    case 'uniqueItems':
      return { path, message: 'must not have an item twice' }
    case 'format':
      return { path, message: `must be ${FORMATS[String(params.format)] ?? params.format}` }
    case 'pattern':
      return { path, message: describePattern(error) }
    default:
      return { path, message: LIMITS[keyword]?.(Number(params.limit)) ?? error.message ?? 'is invalid' }
  }
}

/** A pattern says nothing to a person, so a schema with one describes what it takes. */
function describePattern(error: ValidationError): string {
  const { description } = (error as ErrorObject).parentSchema ?? {}
  if (typeof description !== 'string') return `must match the pattern ${String(error.params.pattern)}`
  const phrase = description.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())
  return `must be ${phrase.replace(/\.$/, '')}`
}

/** For the schemas of `exactlyOneOf`. */
function describeOneOf(error: ValidationError): string {
  const { params, parentSchema } = error as ErrorObject
  const members: string[] = parentSchema?.oneOf.flatMap(({ required }: { required: string[] }) => required)
  return params.passingSchemas ? `must not have both ${members.join(' and ')}` : `must have ${members.join(' or ')}`
}

function count(limit: number, one: string, several = `${one}s`): string {
  return `${limit} ${limit === 1 ? one : several}`
}

function toPointer(name: unknown): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1')
}
