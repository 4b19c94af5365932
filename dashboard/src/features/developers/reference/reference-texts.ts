import { defineTexts } from '../../../lib/texts.ts'

export const useReferenceTexts = defineTexts('reference')
