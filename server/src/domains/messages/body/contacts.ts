import { Type } from 'typebox'
import { strictObject } from '../../../kernel/http/schemas.ts'
import { PATTERNS } from '../../../kernel/http/validation/patterns.ts'

const CONTACTS_MAX = 257

/** Usually HOME or WORK; any text is allowed. */
const optionalText = Type.Optional(Type.String())

export const ContactName = strictObject({
  formatted_name: Type.String({ minLength: 1 }),
  first_name: optionalText,
  last_name: optionalText,
  middle_name: optionalText,
  prefix: optionalText,
  suffix: optionalText,
})

export const ContactPhone = strictObject({ phone: optionalText, type: optionalText, wa_id: optionalText })
export const ContactEmail = strictObject({ email: optionalText, type: optionalText })
export const ContactUrl = strictObject({ url: optionalText, type: optionalText })
export const ContactOrganization = strictObject({
  company: optionalText,
  department: optionalText,
  title: optionalText,
})
export const ContactAddress = strictObject({
  street: optionalText,
  city: optionalText,
  state: optionalText,
  zip: optionalText,
  country: optionalText,
  country_code: optionalText,
  type: optionalText,
})

export const ContactCard = strictObject({
  name: ContactName,
  phones: Type.Optional(Type.Array(ContactPhone)),
  emails: Type.Optional(Type.Array(ContactEmail)),
  addresses: Type.Optional(Type.Array(ContactAddress)),
  org: Type.Optional(ContactOrganization),
  urls: Type.Optional(Type.Array(ContactUrl)),
  birthday: Type.Optional(Type.String({ pattern: PATTERNS.not_day, description: 'A day such as 1987-05-31.' })),
})

export const Contacts = Type.Array(ContactCard, { minItems: 1, maxItems: CONTACTS_MAX })
