import { defineTexts } from '../../lib/texts.ts'

export const useAuthTexts = defineTexts('auth')
