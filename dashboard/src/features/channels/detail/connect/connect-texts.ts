import { defineTexts } from '../../../../lib/texts.ts'

export const useConnectTexts = defineTexts('channel-connect')
