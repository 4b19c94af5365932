import { defineTexts } from '../../lib/texts.ts'

export const useDocsTexts = defineTexts('docs')
