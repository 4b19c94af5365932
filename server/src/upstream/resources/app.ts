import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { readSuccess, type Success } from './success.ts'

type Callback = { callbackUrl: string; verifyToken: string; fields: string[] }

export function createAppCalls({ call }: UpstreamClient, { appId }: { appId: string }) {
  return {
    /** Sets the URL of the app's webhooks. The upstream sends it a challenge before it responds. */
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
