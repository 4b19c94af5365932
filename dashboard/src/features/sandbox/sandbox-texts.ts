import { defineTexts } from '../../lib/texts.ts'

export const useSandboxTexts = defineTexts('sandbox')
