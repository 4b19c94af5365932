import type { Client } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { readSuccess, type Success } from './success.ts'

export type Callback = { callbackUrl: string; verifyToken: string; fields: string[] }

export function createApp({ call }: Client, { appId }: { appId: string }) {
  return {
    /** Where the upstream sends its webhooks. It calls the address with a challenge before it answers this. */
    subscribeCallback: ({ callbackUrl, verifyToken, fields }: Callback): Promise<Result<Success>> =>
      call({
        name: 'app.subscribeCallback',
        method: 'POST',
        to: [appId, 'subscriptions'],
        json: {
          object: 'whatsapp_business_account',
          callback_url: callbackUrl,
          verify_token: verifyToken,
          fields: fields.join(','),
        },
        asApp: true,
        secrets: [verifyToken],
        read: readSuccess,
      }),
  }
}
