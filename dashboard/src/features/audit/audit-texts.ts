import { defineTexts } from '../../lib/texts.ts'

export const useAuditTexts = defineTexts('audit')
