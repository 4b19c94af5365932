import { defineTexts } from '../../../../lib/texts.ts'

export const useClientTexts = defineTexts('channel-client')
