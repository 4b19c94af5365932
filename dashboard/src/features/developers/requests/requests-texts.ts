import { defineTexts } from '../../../lib/texts.ts'

export const useRequestsTexts = defineTexts('requests')
