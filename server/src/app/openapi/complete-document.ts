import { STATUS_CODES } from 'node:http'
import { Uuid } from '../../kernel/http/schemas.ts'
import { extractComponents } from './component-names.ts'
import { describeFacadePaths } from './describe-facade.ts'
import { describeWebhooks } from './describe-webhooks.ts'
import type { Body, Document, Operation, Paths } from './document.ts'
import { buildErrorResponses, describeErrors, groupCodes, listInMarkdown } from './error-responses.ts'
import { addExamples } from './examples.ts'
import { OPERATION_DESCRIPTIONS } from './operation-descriptions.ts'

/** The plugin writes this for a response without a description. */
const UNDESCRIBED = 'Default Response'

export const ORGANIZATION = {
  name: 'X-Hub-Organization',
  in: 'header',
  required: false,
  schema: Uuid,
  description: 'The organization that this request is for, if the person has several.',
}

/** Adds to what the routes say what follows from all of them: the facade's paths, webhooks, errors, names. */
export function completeDocument(described: Document): Document {
  const routes = mapOperations(described.paths ?? {}, completeRequest)
  const paths = mapOperations({ ...routes, ...describeFacadePaths(routes) }, completeResponses)
  const components = { ...described.components, responses: buildErrorResponses() }
  const document = extractComponents({ ...described, paths, webhooks: describeWebhooks(), components })
  const schemas = addExamples(document, { ...document.components?.schemas })
  return { ...document, components: { ...document.components, schemas } }
}

function mapOperations(paths: Paths, change: (operation: Operation) => Operation): Paths {
  const mapped = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, change(operation)])),
  ])
  return Object.fromEntries(mapped)
}

function completeRequest({ parameters = [], requestBody, ...operation }: Operation): Operation {
  const hasSession = operation.security?.some((scheme) => 'session' in scheme)
  const all = [...parameters, ...(hasSession ? [ORGANIZATION] : [])]
  return {
    ...operation,
    ...(all.length > 0 && { parameters: all }),
    ...(requestBody && { requestBody: { ...requestBody, required: !isOptional(requestBody) } }),
  }
}

/** A missing body counts as an empty object. */
function isOptional({ content }: Body): boolean {
  const schema = content['application/json']?.schema
  return schema?.type === 'object' && !schema.required?.length && !schema.minProperties && !schema.oneOf
}

function completeResponses({ 'x-errors': codes = [], responses, ...described }: Operation): Operation {
  const { operationId = '', description = OPERATION_DESCRIPTIONS[operationId] } = described
  const operation = { ...described, ...(description !== undefined && { description }) }
  const successes = Object.entries(responses).map(([status, response]) => {
    const isUndescribed = 'description' in response && response.description === UNDESCRIBED
    return [status, isUndescribed ? { ...response, description: STATUS_CODES[status] } : response]
  })
  const { default: other } = responses
  // A status of its own tells readers of the document that the operation can fail.
  const failures = other && { '4XX': other }
  if (codes.length === 0) return { ...operation, responses: { ...Object.fromEntries(successes), ...failures } }
  const byStatus = groupCodes(codes)
  return {
    ...operation,
    description: [operation.description, listInMarkdown(byStatus)].filter((text) => text !== undefined).join('\n\n'),
    responses: { ...Object.fromEntries(successes), ...describeErrors(byStatus) },
    'x-error-codes': byStatus,
  }
}
