import { LANGUAGES } from '@hubline/locales/languages.ts'
import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp } from '../../../kernel/http/schemas.ts'
import { PATTERNS } from '../../../kernel/http/validation/patterns.ts'
import { DisplayName } from '../../auth/sessions/schemas.ts'
import { TimeZone } from '../schemas.ts'
import { LOGO_CONTENT_MAX, LOGO_TYPES } from './logo-image.ts'

export const Retention = Type.Object(
  { events_days: Type.Integer(), messages_days: Type.Integer(), audit_days: Type.Integer() },
  { description: 'The time for which the hub keeps what it records. The operator decides it for all organizations.' },
)
export type Retention = Static<typeof Retention>

const COLOR = "The color of the buttons of the connect page, such as `#7a2e5d`. Null for the hub's own color."

export const Logo = Type.Object({
  type: oneOf(LOGO_TYPES),
  bytes: Type.Integer(),
  url: Type.String({ description: 'The path from which members load the logo. It changes with the logo.' }),
})
export type Logo = Static<typeof Logo>

export const OrganizationSettings = Type.Object({
  name: Type.String(),
  language: oneOf(LANGUAGES),
  time_zone: Type.String(),
  two_factor_required: Type.Boolean(),
  color: nullable(Type.String({ description: COLOR })),
  color_contrast: nullable(
    Type.Number({
      description:
        'The contrast of white text on the color, from 1 to 21. Below 4.5 the connect page keeps the color of the hub. Null without a color.',
    }),
  ),
  logo: nullable(Logo),
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
    color: Type.Optional(nullable(Type.String({ pattern: PATTERNS.not_color, description: COLOR }))),
  },
  { minProperties: 1 },
)
export type UpdateSettings = Static<typeof UpdateSettings>

export const LogoQuery = strictObject({
  v: Type.Optional(
    Type.String({ maxLength: 64, description: 'The version in the `url` of the logo. It is not compared.' }),
  ),
})
export const UpdateLogo = strictObject({
  content: Type.String({
    minLength: 1,
    maxLength: LOGO_CONTENT_MAX,
    pattern: PATTERNS.not_encoded,
    description: 'A PNG, JPEG or WebP image in base64, of at most 200 KB and 1,024 by 1,024 pixels.',
  }),
})
export type UpdateLogo = Static<typeof UpdateLogo>
