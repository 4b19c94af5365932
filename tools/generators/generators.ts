/** A generator whose section in the guide has its commands and program. */
export type Generator = {
  /** The heading of the section. */
  name: string
  language: string
  version: string
  /** Programs that have to be there, besides Node. */
  needs: readonly string[]
}

const OPENAPI_GENERATOR = '7.26.0'

export const GENERATORS: readonly Generator[] = [
  { name: 'openapi-typescript', language: 'TypeScript', version: '7.13.0', needs: [] },
  { name: 'hey-api', language: 'TypeScript', version: '0.95.0', needs: [] },
  { name: 'openapi-python-client', language: 'Python', version: '0.29.1', needs: ['python3'] },
  { name: 'OpenAPI Generator: Python', language: 'Python', version: OPENAPI_GENERATOR, needs: ['java', 'python3'] },
  { name: 'OpenAPI Generator: Go', language: 'Go', version: OPENAPI_GENERATOR, needs: ['java', 'python3', 'go'] },
  { name: 'OpenAPI Generator: PHP', language: 'PHP', version: OPENAPI_GENERATOR, needs: ['java', 'python3', 'php'] },
  { name: 'OpenAPI Generator: Ruby', language: 'Ruby', version: OPENAPI_GENERATOR, needs: ['java', 'python3', 'ruby'] },
]

/** The run does not try this, for the reason given. */
export const NOT_TRIED: readonly { name: string; language: string; reason: string }[] = [
  { name: 'OpenAPI Generator: Java', language: 'Java', reason: 'its libraries come from a Maven registry' },
  { name: 'OpenAPI Generator: C#', language: 'C#', reason: 'it needs the .NET SDK' },
  { name: 'oapi-codegen', language: 'Go', reason: 'it comes from the module proxy of Go' },
  { name: 'Kiota', language: 'several', reason: 'it needs the .NET runtime, or a binary that no package has' },
]
