import type { TestContext } from 'node:test'
import i18next from 'i18next'
import type { Language } from '../src/lib/languages.ts'

type Reader = {
  language?: Language
  /** The time zone of the device. */
  timeZone?: string
  now?: string
}

/** The person in front of the page, until the test ends. */
export function setReader(t: TestContext, { language = 'en', timeZone = 'UTC', now }: Reader): void {
  const before = { language: i18next.language, timeZone: process.env.TZ }
  i18next.language = language
  process.env.TZ = timeZone
  if (now !== undefined) t.mock.timers.enable({ apis: ['Date'], now: new Date(now) })
  t.after(() => {
    i18next.language = before.language
    if (before.timeZone === undefined) delete process.env.TZ
    else process.env.TZ = before.timeZone
  })
}
