/** What the package exports. */
export { Hub, type HubOptions } from './client.ts'
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
