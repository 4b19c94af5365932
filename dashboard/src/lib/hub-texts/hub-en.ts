import { en as checks } from '@hubline/locales/checks/en.ts'
import { en as codes } from '@hubline/locales/codes/en.ts'
import { en as errors } from '@hubline/locales/errors/en.ts'
import { en as fields } from '@hubline/locales/fields/en.ts'
import { en as issues } from '@hubline/locales/issues/en.ts'
import { en as upstreamErrors } from '@hubline/locales/upstream-errors/en.ts'

export const texts = { checks, codes, errors, fields, issues, upstreamErrors }
