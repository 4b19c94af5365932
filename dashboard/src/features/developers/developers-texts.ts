import { defineTexts } from '../../lib/texts.ts'

export const useDevelopersTexts = defineTexts('developers')
