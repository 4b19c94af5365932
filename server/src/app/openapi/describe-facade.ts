import { ALLOWLIST, type AllowedOperation } from '../../domains/facade/allowlist/allowlist.ts'
import { FACADE_OPERATIONS, UpstreamObject } from '../../domains/facade/description.ts'
import { PATTERNS } from '../../kernel/http/validation/patterns.ts'
import { nameSchema } from './component-names.ts'
import type { Body, Operation, Paths, Schema } from './document.ts'

const WILDCARD = '/upstream/{resourcePath}'
const ID_NAMES = { phone: 'phone_number_id', waba: 'waba_id', media: 'media_id' }
const FILE = { type: 'string', format: 'binary' }
const FORM = 'application/x-www-form-urlencoded'

/** `/graph` is described by its wildcard only: its clients are those of the upstream, which have its document. */
const ROWS = ALLOWLIST.filter(({ mounts }) => mounts.includes('upstream'))

/** Codes of single paths. */
const PARTICULAR = new Set(Object.values(FACADE_OPERATIONS).flatMap(({ errors = [] }) => errors))

/**
 * Completes the facade's wildcard, whose routes have no schema of a request, and adds each path of the allowlist that has
 * a second segment: a client that is generated from the document would encode the slash of a wildcard.
 */
export function describeFacadePaths({ [WILDCARD]: routes = {} }: Paths): Paths {
  const wildcard = Object.entries(routes).map(([method, route]) => [method, describeWildcard(method, route)])
  const paths: Paths = { [WILDCARD]: Object.fromEntries(wildcard) }
  for (const row of ROWS.filter(({ path }) => path.includes('/'))) {
    const [path, idName] = toPath(row)
    const method = row.method.toLowerCase()
    const route = routes[method]
    paths[path] = { ...paths[path], ...(route && { [method]: describeRow(row, route, idName) }) }
  }
  return paths
}

function describeWildcard(method: string, route: Operation): Operation {
  const rows = ROWS.filter((row) => row.method.toLowerCase() === method)
  const names = [...new Set(rows.flatMap(({ query }) => query))]
  const body = describeBody(rows)
  return {
    ...route,
    parameters: [...(route.parameters ?? []), ...names.map((name) => describeParameter(name, false))],
    ...(body && { requestBody: body }),
    ...(method === 'get' && { responses: describeFile(UpstreamObject) }),
  }
}

/** The operation of its method's wildcard, with what is particular to the row. */
function describeRow(row: AllowedOperation, route: Operation, idName: string): Operation {
  const { summary, response, errors = [] } = FACADE_OPERATIONS[row.operation]
  const isNameRequired = row.operation === 'deleteTemplates'
  const { requestBody: _body, description: _description, ...rest } = route
  const body = describeBody([row])
  return {
    ...rest,
    operationId: `${row.operation}Upstream`,
    summary,
    ...(typeof row.scope === 'string' && { 'x-scope': row.scope }),
    parameters: [
      {
        name: idName,
        in: 'path',
        required: true,
        schema: {
          type: 'string',
          pattern: PATTERNS.not_upstream_id,
          description: 'An id of the upstream, digits only.',
        },
      },
      ...row.query.map((name) => describeParameter(name, isNameRequired && name === 'name')),
    ],
    ...(body && { requestBody: body }),
    responses: response ? describeJson(response) : describeFile(),
    'x-errors': route['x-errors']?.filter((code) => errors.includes(code) || !PARTICULAR.has(code)) ?? [],
  }
}

function toPath({ path }: AllowedOperation): [path: string, idName: string] {
  const [kind, edge] = path.slice(1).split('}') as [keyof typeof ID_NAMES, string]
  return [`/upstream/{${ID_NAMES[kind]}}${edge}`, ID_NAMES[kind]]
}

function describeParameter(name: string, required: boolean) {
  return { name, in: 'query', required, schema: { type: 'string' } }
}

/** JSON and an encoded form are the same; a file comes in a form of parts. */
function describeBody(rows: AllowedOperation[]): Body | undefined {
  const { bodies, forms } = {
    bodies: rows.flatMap(({ operation }) => FACADE_OPERATIONS[operation].body ?? []),
    forms: rows.flatMap(({ operation }) => FACADE_OPERATIONS[operation].form ?? []),
  }
  if (bodies.length + forms.length === 0) return undefined
  const json = bodies.length > 0 && {
    'application/json': toMedia('UpstreamBody', bodies),
    [FORM]: toMedia('UpstreamBody', bodies),
  }
  const parts = forms.length > 0 && { 'multipart/form-data': toMedia('UpstreamForm', forms) }
  return { required: true, content: { ...json, ...parts } }
}

/** Several schemas are a union with this name. */
function toMedia(name: string, schemas: Schema[]): { schema: Schema } {
  const [only, ...others] = schemas
  return { schema: only && others.length === 0 ? only : nameSchema(name, { anyOf: schemas }) }
}

function describeJson(schema: object) {
  return {
    200: { description: "The body is that of the upstream's response.", content: { 'application/json': { schema } } },
  }
}

function describeFile(json?: object) {
  const content = { ...(json && { 'application/json': { schema: json } }), '*/*': { schema: FILE } }
  return {
    200: {
      description: json ? "The body is that of the upstream's response, or a file." : 'The body is the file.',
      content,
    },
    206: { description: 'The body is the part of the file that `Range` names.', content: { '*/*': { schema: FILE } } },
  }
}
