import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeApi } from '../server/src/app/openapi/describe-api.ts'

/** `npm run generate`: writes what is derived from the sources. */
await writeFile(join(import.meta.dirname, '../openapi.json'), await describeApi())
console.log('openapi.json')
