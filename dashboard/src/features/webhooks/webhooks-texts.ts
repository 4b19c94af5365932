import { defineTexts } from '../../lib/texts.ts'

export const useWebhooksTexts = defineTexts('webhooks')
