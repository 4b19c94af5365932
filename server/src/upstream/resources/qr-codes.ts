import { isObject, toText } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { type Page, readPage } from './paging.ts'
import { readSuccess, type Success } from './success.ts'

export type QrCode = {
  code: string
  prefilled_message: string
  deep_link_url: string
  /** Only where an image was asked for. */
  qr_image_url: string | null
}

export type QrImage = 'svg' | 'png'

export function createQrCodeCalls({ call }: UpstreamClient) {
  return {
    list: (
      token: string,
      phoneNumberId: string,
      { limit, after, image }: { limit: number; after?: string; image?: QrImage },
    ): Promise<Result<Page<QrCode>>> => {
      const picture = image ? `,qr_image_url.format(${image.toUpperCase()})` : ''
      return call({
        name: 'qrCodes.list',
        method: 'GET',
        to: [phoneNumberId, 'message_qrdls'],
        query: { fields: `code,prefilled_message,deep_link_url${picture}`, limit, after },
        token,
        read: (body) => readPage(body, readQrCode),
      })
    },

    /** With a `code` its message is replaced, else there is a new code. */
    save: (
      token: string,
      phoneNumberId: string,
      { code, prefilled_message, image }: { code?: string; prefilled_message: string; image?: QrImage },
    ): Promise<Result<QrCode>> =>
      call({
        name: 'qrCodes.save',
        method: 'POST',
        to: [phoneNumberId, 'message_qrdls'],
        json: {
          ...(code !== undefined && { code }),
          prefilled_message,
          ...(image && { generate_qr_image: image.toUpperCase() }),
        },
        token,
        read: readQrCode,
      }),

    delete: (token: string, phoneNumberId: string, code: string): Promise<Result<Success>> =>
      call({
        name: 'qrCodes.delete',
        method: 'DELETE',
        to: [phoneNumberId, 'message_qrdls', code],
        token,
        read: readSuccess,
      }),
  }
}

function readQrCode(body: unknown): QrCode | undefined {
  if (!isObject(body)) return undefined
  const { code, prefilled_message, deep_link_url, qr_image_url } = body
  if (typeof code !== 'string' || typeof deep_link_url !== 'string') return undefined
  return { code, prefilled_message: toText(prefilled_message) ?? '', deep_link_url, qr_image_url: toText(qr_image_url) }
}
