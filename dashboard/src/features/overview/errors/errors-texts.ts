import { defineTexts } from '../../../lib/texts.ts'

export const useErrorsTexts = defineTexts('overview-errors')
