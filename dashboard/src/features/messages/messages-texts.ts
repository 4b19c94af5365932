import { defineTexts } from '../../lib/texts.ts'

export const useMessagesTexts = defineTexts('messages')
