import { defineTexts } from '../../lib/texts.ts'

export const useCostsTexts = defineTexts('costs')
