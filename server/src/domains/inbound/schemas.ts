import { Type } from 'typebox'
import { nullable } from '../../kernel/http/schemas.ts'

const Text = nullable(Type.String())
/** A change as the upstream sent it. */
const Change = Type.Object({}, { additionalProperties: true })

/** The `data` of template.status. */
export const TemplateEventData = Type.Object({
  template: Type.Object({ id: Text, name: Text, language: Text, category: Text, status: Text }),
  change: Change,
})

/** The `data` of phone.quality. */
export const NumberEventData = Type.Object({
  number: Type.Object({ phone_number_id: Type.String(), display_phone_number: Text, verified_name: Text }),
  change: Change,
})

/** The `data` of account.update. */
export const AccountEventData = Type.Object({
  change: Type.Object({ field: Type.String() }, { additionalProperties: true }),
})
