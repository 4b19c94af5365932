import { defineTexts } from '../../lib/texts.ts'

export const useTemplateTexts = defineTexts('templates')
