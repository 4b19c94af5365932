import type { TestContext } from 'node:test'
import type { Language } from '@hubline/locales/languages.ts'
import i18next from 'i18next'

type Reader = {
  language?: Language
  /** The time zone of the device. */
  timeZone?: string
  now?: string
}

/** The time zone of this machine. Node notices when the variable is set, not when it is deleted. */
const OWN_ZONE = process.env.TZ ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The person in front of the page, until the test ends. */
export function setReader(t: TestContext, { language = 'en', timeZone = 'UTC', now }: Reader): void {
  const { language: languageBefore } = i18next
  i18next.language = language
  process.env.TZ = timeZone
  if (now !== undefined) t.mock.timers.enable({ apis: ['Date'], now: new Date(now) })
  t.after(() => {
    i18next.language = languageBefore
    process.env.TZ = OWN_ZONE
  })
}
