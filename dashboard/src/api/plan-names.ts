import { defineTexts } from '../lib/texts.ts'

/** The plans as people call them. */
export const usePlanName = defineTexts('plan-names')
