import { Type } from 'typebox'
import { strictObject } from '../../../kernel/http/schemas.ts'

const CONTACTS_MAX = 257
const DAY = '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'

/** Usually HOME or WORK; any text is allowed. */
const optionalText = Type.Optional(Type.String())

const Name = strictObject({
  formatted_name: Type.String({ minLength: 1 }),
  first_name: optionalText,
  last_name: optionalText,
  middle_name: optionalText,
  prefix: optionalText,
  suffix: optionalText,
})

const Phone = strictObject({ phone: optionalText, type: optionalText, wa_id: optionalText })
const Email = strictObject({ email: optionalText, type: optionalText })
const Url = strictObject({ url: optionalText, type: optionalText })
const Organization = strictObject({ company: optionalText, department: optionalText, title: optionalText })
const Address = strictObject({
  street: optionalText,
  city: optionalText,
  state: optionalText,
  zip: optionalText,
  country: optionalText,
  country_code: optionalText,
  type: optionalText,
})

const Contact = strictObject({
  name: Name,
  phones: Type.Optional(Type.Array(Phone)),
  emails: Type.Optional(Type.Array(Email)),
  addresses: Type.Optional(Type.Array(Address)),
  org: Type.Optional(Organization),
  urls: Type.Optional(Type.Array(Url)),
  birthday: Type.Optional(Type.String({ pattern: DAY, description: 'A day such as 1987-05-31' })),
})

export const Contacts = Type.Array(Contact, { minItems: 1, maxItems: CONTACTS_MAX })
