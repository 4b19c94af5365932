import { defineTexts } from '../../../lib/texts.ts'

export const useDeliveryTexts = defineTexts('deliveries')
