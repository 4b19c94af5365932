import type { Random } from '../random.ts'
import type { PaymentState } from './state.ts'

/** The prefix and the length of what follows it, as the provider makes them. */
const SHAPES = {
  customer: ['cus_', 14],
  product: ['prod_', 14],
  price: ['price_1', 23],
  paymentMethod: ['pm_1', 23],
  paymentIntent: ['pi_3', 23],
  checkoutSession: ['cs_test_a1', 56],
  checkoutLine: ['li_1', 23],
  subscription: ['sub_1', 23],
  subscriptionItem: ['si_', 14],
  invoice: ['in_1', 23],
  preview: ['upcoming_in_1', 23],
  invoiceLine: ['il_1', 23],
  previewLine: ['il_tmp_1', 23],
  invoiceItem: ['ii_1', 23],
  invoicePayment: ['inpay_1', 23],
  portalConfiguration: ['bpc_1', 23],
  portalSession: ['bps_1', 23],
  event: ['evt_1', 23],
  request: ['req_', 14],
} as const

export type IdKind = keyof typeof SHAPES
export type NewId = (kind: IdKind) => string

/** A world that was kept over a restart meets its seed again, so an id that is taken is drawn once more. */
export function createIds(random: Random, state: PaymentState): NewId {
  return (kind) => {
    const [prefix, length] = SHAPES[kind]
    for (;;) {
      const id = `${prefix}${random.text(length)}`
      if (!state.has(id)) return id
    }
  }
}
