import { defineTexts } from '../../../lib/texts.ts'

export const useDetailTexts = defineTexts('channel')
