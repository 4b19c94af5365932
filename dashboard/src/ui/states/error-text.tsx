import { HubConnectionError, HubError } from '@hubline/sdk'
import { useHubTexts } from '../../lib/hub-texts/hub-texts.ts'
import { defineTexts, useLanguage } from '../../lib/texts.ts'
import { useUiTexts } from '../texts.ts'
import { describeFieldError, describeHubError, type ErrorDescription } from './errors/describe-error.ts'

const useRoleName = defineTexts('role-names')

type ErrorText = ErrorDescription & { code: string | undefined; requestId: string | undefined }

/** A failed request in words, with the code and the request id that support asks for. */
export function useErrorText(): (error: unknown) => ErrorText {
  const t = useUiTexts()
  const { language } = useLanguage()
  const texts = useHubTexts()
  const roleName = useRoleName()
  const nameRole = (role: string) => roleName(role as Parameters<typeof roleName>[0])
  return (error) => {
    if (error instanceof HubConnectionError) {
      return { message: t('offline'), reason: undefined, code: error.code, requestId: undefined }
    }
    if (error instanceof HubError) {
      const described = describeHubError(error, { texts, language, nameRole })
      return { ...described, code: error.code, requestId: error.requestId ?? undefined }
    }
    return { message: t('unexpected'), reason: String(error), code: undefined, requestId: undefined }
  }
}

/** Returns the hub's message about a refused field of the form; undefined for a field that is fine. */
export function useFieldError(error: unknown): (field: string) => string | undefined {
  const { language } = useLanguage()
  const texts = useHubTexts()
  return (field) => describeFieldError(error, field, { texts, language })
}
