import { LANGUAGES } from '@hubline/locales/languages.ts'
import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp } from '../../../kernel/http/schemas.ts'
import { DisplayName } from '../../auth/sessions/schemas.ts'
import { TimeZone } from '../schemas.ts'

export const Retention = Type.Object(
  { events_days: Type.Integer(), messages_days: Type.Integer(), audit_days: Type.Integer() },
  { description: 'The time for which the hub keeps what it records. The operator decides it for all organizations.' },
)
export type Retention = Static<typeof Retention>

export const OrganizationSettings = Type.Object({
  name: Type.String(),
  language: oneOf(LANGUAGES),
  time_zone: Type.String(),
  two_factor_required: Type.Boolean(),
  deletes_at: nullable(Timestamp),
  retention: Retention,
})
export type OrganizationSettings = Static<typeof OrganizationSettings>
export const SettingsResponse = dataOf({ settings: OrganizationSettings })

export const UpdateSettings = strictObject(
  {
    name: Type.Optional(DisplayName),
    language: Type.Optional(oneOf(LANGUAGES)),
    time_zone: Type.Optional(TimeZone),
    two_factor_required: Type.Optional(Type.Boolean()),
  },
  { minProperties: 1 },
)
export type UpdateSettings = Static<typeof UpdateSettings>
