import { HubConnectionError, HubError } from '@hubline/sdk'
import { useUiTexts } from '../texts.ts'

/** A failed request in words, with the code and the request id that support asks for. */
export function useErrorText(): (error: unknown) => {
  message: string
  code: string | undefined
  requestId: string | undefined
} {
  const t = useUiTexts()
  return (error) => {
    if (error instanceof HubConnectionError) return { message: t('offline'), code: error.code, requestId: undefined }
    if (error instanceof HubError) {
      return { message: error.message, code: error.code, requestId: error.requestId ?? undefined }
    }
    return { message: String(error), code: undefined, requestId: undefined }
  }
}
