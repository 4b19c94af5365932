import { createDownloads } from './files/downloads.ts'
import { createMedia } from './files/media.ts'
import { createUploads } from './files/uploads.ts'
import { type ClientOptions, createClient } from './http/client.ts'
import { createAccounts } from './resources/accounts.ts'
import { createApp } from './resources/app.ts'
import { createMessages } from './resources/messages.ts'
import { createOauth } from './resources/oauth.ts'
import { createPassage } from './resources/passthrough.ts'
import { createPhoneNumbers } from './resources/phone-numbers.ts'
import { createTemplates } from './resources/templates.ts'

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
