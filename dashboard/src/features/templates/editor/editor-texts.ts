import { defineTexts } from '../../../lib/texts.ts'

export const useEditorTexts = defineTexts('template-editor')
