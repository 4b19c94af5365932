import { createAccounts } from './accounts.ts'
import { createApp } from './app.ts'
import { type ClientOptions, createClient } from './client.ts'
import { createDownloads } from './downloads.ts'
import { createMedia } from './media.ts'
import { createMessages } from './messages.ts'
import { createOauth } from './oauth.ts'
import { createPassage } from './passage.ts'
import { createPhoneNumbers } from './phone-numbers.ts'
import { createTemplates } from './templates.ts'
import { createUploads } from './uploads.ts'

export type UpstreamOptions = ClientOptions
export type Upstream = ReturnType<typeof createUpstream>

/** The WhatsApp Cloud API, or whatever stands in for it at `url`. Every call answers with a value; see `errors.ts`. */
export function createUpstream(options: UpstreamOptions) {
  const client = createClient(options)
  return {
    oauth: createOauth(client, options),
    accounts: createAccounts(client),
    phoneNumbers: createPhoneNumbers(client),
    templates: createTemplates(client),
    media: createMedia(client),
    messages: createMessages(client, options),
    downloads: createDownloads(client),
    uploads: createUploads(client, options),
    passage: createPassage(client, options),
    app: createApp(client, options),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}
