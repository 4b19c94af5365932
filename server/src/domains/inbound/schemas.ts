import { Type } from 'typebox'
import { nullable, Uuid } from '../../kernel/http/schemas.ts'

const Text = nullable(Type.String())
/** A change as the upstream sent it. */
const buildChange = (example: object) => Type.Object({}, { additionalProperties: true, examples: [example] })

/** The `data` of template.status. */
export const TemplateEventData = Type.Object({
  template: Type.Object({ id: Text, name: Text, language: Text, category: Text, status: Text }),
  change: buildChange({ event: 'APPROVED', message_template_id: 106540352242922, message_template_name: 'Front desk' }),
})

/** The `data` of phone.quality. */
export const NumberEventData = Type.Object({
  number: Type.Object({
    phone_number_id: Type.String(),
    display_phone_number: Text,
    verified_name: Text,
    quality_rating: nullable(
      Type.String({
        description: 'The rating that the hub knows when the change arrives: GREEN, YELLOW, RED or UNKNOWN',
      }),
    ),
  }),
  change: buildChange({ display_phone_number: '5511987654321', event: 'FLAGGED', current_limit: 'TIER_1K' }),
})

/** The `data` of payment.status. */
export const PaymentEventData = Type.Object({
  message_id: nullable(Uuid),
  upstream_message_id: Type.String(),
  status: Type.String({ description: "The upstream's status of the payment: pending, captured or failed" }),
  payment: nullable(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: "The upstream's payment object, unchanged. Null if it sent none, or if the person was erased.",
        examples: [
          {
            reference_id: 'order-1042',
            amount: { value: 2500, offset: 100 },
            currency: 'BRL',
            transaction: { id: 'T-9001', type: 'pix', status: 'success' },
          },
        ],
      },
    ),
  ),
})

/** The `data` of account.update. */
export const AccountEventData = Type.Object({
  change: Type.Object({ field: Type.String() }, { additionalProperties: true }),
})
