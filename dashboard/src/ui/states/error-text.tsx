import { HubConnectionError, HubError } from '@hubline/sdk'
import { useLanguage } from '../../lib/texts.ts'
import { useUiTexts } from '../texts.ts'
import { describeFieldError, describeHubError, type ErrorDescription } from './errors/describe-error.ts'

type ErrorText = ErrorDescription & { code: string | undefined; requestId: string | undefined }

/** A failed request in words, with the code and the request id that support asks for. */
export function useErrorText(): (error: unknown) => ErrorText {
  const t = useUiTexts()
  const { language } = useLanguage()
  return (error) => {
    if (error instanceof HubConnectionError) {
      return { message: t('offline'), reason: undefined, code: error.code, requestId: undefined }
    }
    if (error instanceof HubError) {
      return { ...describeHubError(error, language), code: error.code, requestId: error.requestId ?? undefined }
    }
    return { message: t('unexpected'), reason: String(error), code: undefined, requestId: undefined }
  }
}

/** Returns the hub's message about a refused field of the form; undefined for a field that is fine. */
export function useFieldError(error: unknown): (field: string) => string | undefined {
  const { language } = useLanguage()
  return (field) => describeFieldError(error, field, language)
}
