import { defineTexts } from '../../../lib/texts.ts'

export const useDrawerTexts = defineTexts('message-drawer')
