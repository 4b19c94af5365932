import { defineTexts } from '../../lib/texts.ts'

export const useBillingTexts = defineTexts('billing')
