import { createDownloadCalls } from './files/downloads.ts'
import { createMediaCalls } from './files/media.ts'
import { createUploadCalls } from './files/uploads.ts'
import { createUpstreamClient, type UpstreamOptions } from './http/client.ts'
import { createAccountCalls } from './resources/accounts.ts'
import { createAppCalls } from './resources/app.ts'
import { createBlockListCalls } from './resources/block-list.ts'
import { createMessageCalls } from './resources/messages.ts'
import { createOauthCalls } from './resources/oauth.ts'
import { createPassthrough } from './resources/passthrough.ts'
import { createPhoneNumberCalls } from './resources/phone-numbers.ts'
import { createQrCodeCalls } from './resources/qr-codes.ts'
import { createTemplateCalls } from './resources/templates.ts'
import { createUsernameCalls } from './resources/usernames.ts'

export type Upstream = ReturnType<typeof createUpstream>

/** The WhatsApp Cloud API, or the simulator, at `url`. Calls return failures as values: see `http/errors.ts`. */
export function createUpstream(options: UpstreamOptions) {
  const client = createUpstreamClient(options)
  return {
    oauth: createOauthCalls(client, options),
    accounts: createAccountCalls(client),
    phoneNumbers: createPhoneNumberCalls(client),
    blockList: createBlockListCalls(client),
    qrCodes: createQrCodeCalls(client),
    usernames: createUsernameCalls(client),
    templates: createTemplateCalls(client),
    media: createMediaCalls(client),
    messages: createMessageCalls(client, options),
    downloads: createDownloadCalls(client),
    uploads: createUploadCalls(client, options),
    passthrough: createPassthrough(client, options),
    app: createAppCalls(client, options),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}
