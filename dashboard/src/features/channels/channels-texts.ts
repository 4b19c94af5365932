import { defineTexts } from '../../lib/texts.ts'

export const useChannelsTexts = defineTexts('channels')
