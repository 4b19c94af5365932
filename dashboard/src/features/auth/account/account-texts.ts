import { defineTexts } from '../../../lib/texts.ts'

export const useAccountTexts = defineTexts('account')
