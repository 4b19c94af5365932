import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify'
import { isEmail } from '../../email.ts'
import { type Issue, invalidPart, toIssue } from '../../errors.ts'
import { isUuid } from '../../ids.ts'
import { addSyncHook } from '../sync-hook.ts'
import { dropRepeatedErrors, installDiscriminator } from './discriminator.ts'
import { describeIssue } from './issue-messages.ts'

const ISSUES_MAX = 20
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z')
const LAST_DAY = Date.parse('9999-12-31T00:00:00Z')
const TIMESTAMP = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/i

const PARTS: Record<string, 'body' | 'query' | 'path' | 'headers'> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
}

/** Parses the text of a parameter by its type. Other text stays text, and the schema refuses it. */
const READ: Record<string, (text: string) => unknown> = {
  integer: (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
}

/** Beyond this many values, only the first error is looked for: a body of 1 MiB could have 90,000 of them. */
const VALUES_WITH_ALL_ERRORS = 1000

function createAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({
    removeAdditional: false,
    useDefaults: true,
    allErrors,
    strict: false,
    discriminator: true,
    // Adds the schema to an error, for its message.
    verbose: true,
  })
  return installDiscriminator(withFormats(ajv))
}

/** One of each per process, so that each schema is compiled once for all servers. */
const AJV = { allErrors: createAjv(true), firstError: createAjv(false) }

type Parameters = { properties?: Record<string, { type?: string }> }

/**
 * Bodies are validated as they are: nothing is coerced or dropped, and only
 * defaults of the schema are filled in.
 * Parameters arrive as text, so a number there may be written as one: in
 * decimal, since a caller that writes `0x10` or `1e1` may mean something else.
 */
export function installValidation(app: FastifyInstance): void {
  app.setValidatorCompiler<Parameters>(({ schema, httpPart }) => {
    return (values: Record<string, unknown>) => {
      if (httpPart !== 'body') readTexts(schema, values)
      // Compiled for the first request that needs it: the start does not wait for all schemas.
      const ajv = hasMoreValuesThan(values, VALUES_WITH_ALL_ERRORS) ? AJV.firstError : AJV.allErrors
      const validate = ajv.compile(schema)
      return validate(values) ? { value: values } : { error: validate.errors as FastifySchemaValidationError[] }
    }
  })
  installIdSpelling(app)
  app.setSchemaErrorFormatter((errors, part) => {
    const issues = firstOfEach(dropRepeatedErrors(errors).map(describeIssue)).slice(0, ISSUES_MAX)
    const [first = toIssue('', 'invalid'), ...others] = issues
    return invalidPart(PARTS[part] ?? 'request', [first, ...others])
  })
}

/** Stops as soon as it is sure, so it costs little for a large body. */
function hasMoreValuesThan(root: unknown, max: number): boolean {
  const open: unknown[] = [root]
  let count = 0
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const values: unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += values.length
    if (count > max) return true
    open.push(...values)
  }
  return false
}

function readTexts({ properties = {} }: Parameters, values: Record<string, unknown>): void {
  for (const [name, { type = '' }] of Object.entries(properties)) {
    const value = values[name]
    if (typeof value === 'string') values[name] = READ[type]?.(value) ?? value
  }
}

/** Ids in paths become lower case, as the hub writes them, so that they can be compared and logged. */
function installIdSpelling(app: FastifyInstance): void {
  addSyncHook(app, 'preHandler', ({ params }) => {
    if (typeof params !== 'object' || params === null) return
    for (const [name, value] of Object.entries(params)) {
      if (typeof value === 'string' && isUuid(value)) Object.assign(params, { [name]: value.toLowerCase() })
    }
  })
}

function withFormats(ajv: Ajv): Ajv {
  // The module is CommonJS: its only export is `default` at runtime.
  const install = formats as unknown as (ajv: Ajv, names: string[]) => Ajv
  const own = { uuid: isUuid, 'date-time': isTimestamp, email: isEmail, iri: URL.canParse }
  for (const [name, format] of Object.entries(own)) ajv.addFormat(name, format)
  return install(ajv, ['uri'])
}

/**
 * RFC 3339 as far as PostgreSQL and `Date` can express it: without leap seconds,
 * offsets that no place uses and the year 0. Rounding or an offset must not lead
 * into the year 10000, so its last day is not allowed either.
 */
function isTimestamp(text: string): boolean {
  const day = text.slice(0, 10)
  const milliseconds = Date.parse(text)
  return (
    TIMESTAMP.test(text) &&
    milliseconds >= FIRST_DAY &&
    milliseconds < LAST_DAY &&
    new Date(day).toISOString().startsWith(day)
  )
}

/** The first issue of each member: a value of a wrong type also fails every other keyword. */
function firstOfEach(issues: Issue[]): Issue[] {
  const seen = new Set<string>()
  return issues.filter(({ path }) => !seen.has(path) && seen.add(path))
}
