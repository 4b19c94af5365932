import { defineTexts } from '../../../lib/texts.ts'

export const useInspectorTexts = defineTexts('inspector')
