import { describeApi } from '../server/src/app/openapi/describe-api.ts'
import { generateDashboard } from './dashboard/generate-dashboard.ts'
import { generateDefinitions } from './definitions.ts'
import { generateErrorReasons } from './error-reasons.ts'
import { generateEventKinds } from './event-kinds.ts'
import { generateEventSamples } from './event-samples.ts'
import { generateModelTables } from './model/report.ts'
import { writeLlmsTxt } from './openapi/llms.ts'
import { writePostmanCollection } from './openapi/postman.ts'
import { generateSdk } from './sdk/generate-sdk.ts'
import { generateTables } from './tables.ts'

/** Every file that is derived from the sources, by its path in the repository. */
export async function generateFiles(root: string): Promise<Record<string, string>> {
  const documents = await describeApi()
  return {
    ...documents,
    'postman-collection.json': writePostmanCollection(documents['openapi.json']),
    'llms.txt': writeLlmsTxt(root, documents['openapi.json']),
    ...generateSdk(root, documents),
    ...generateDashboard(root, documents['openapi.json']),
    ...generateTables(root),
    ...generateErrorReasons(),
    ...generateEventKinds(root),
    ...generateEventSamples(documents['openapi.json']),
    ...generateDefinitions(root),
    ...generateModelTables(root),
  }
}
