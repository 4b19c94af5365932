import { Resources } from './generated/resources.gen.ts'
import { Requester, type RequesterOptions } from './request.ts'

export {
  type ErrorCode,
  HubApiError,
  HubConnectionError,
  HubError,
  HubResponseError,
  HubSignatureError,
  HubTimeoutError,
} from './errors.ts'
export type { FileInput, FileStream } from './form.ts'
export type * from './generated/resources.gen.ts'
export type * from './generated/types.gen.ts'
export { List, type Page } from './pages.ts'
export type { KeyedOptions, RequestOptions } from './request.ts'
export {
  type DeliveryFormat,
  type DeliveryHeaders,
  type HubEvent,
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
} from './webhooks.ts'

export type HubOptions = RequesterOptions

/**
 * A client of one hub, with one credential. It holds no connection and needs no end; the resources are in
 * `generated/resources.gen.ts`.
 */
export class Hub extends Resources {
  constructor(options: HubOptions) {
    super(new Requester(options))
  }
}
