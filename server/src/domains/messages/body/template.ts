import { Type } from 'typebox'
import { unionByType } from '../../../kernel/http/schemas.ts'
import { PATTERNS } from '../../../kernel/http/validation/patterns.ts'
import { Latitude, Longitude } from './location.ts'
import { File, NamedFile } from './media.ts'
import { AnyObject, text } from './text.ts'

export const FlowOrCatalogAction = Type.Object({
  flow_token: Type.Optional(Type.String()),
  flow_action_data: Type.Optional(AnyObject),
  thumbnail_product_retailer_id: Type.Optional(text()),
  sections: Type.Optional(Type.Array(AnyObject)),
})

export const TemplateLocation = Type.Object({
  latitude: Latitude,
  longitude: Longitude,
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
})

export const TemplateParameter = unionByType(
  [
    Type.Object({ type: Type.Literal('text'), text: text(), parameter_name: Type.Optional(text()) }),
    Type.Object({
      type: Type.Literal('currency'),
      currency: Type.Object({ fallback_value: text(), code: text(), amount_1000: Type.Integer() }),
    }),
    Type.Object({ type: Type.Literal('date_time'), date_time: Type.Object({ fallback_value: text() }) }),
    Type.Object({ type: Type.Literal('image'), image: File }),
    Type.Object({ type: Type.Literal('video'), video: File }),
    Type.Object({ type: Type.Literal('document'), document: NamedFile }),
    Type.Object({
      type: Type.Literal('location'),
      location: TemplateLocation,
    }),
    Type.Object({ type: Type.Literal('payload'), payload: text() }),
    Type.Object({ type: Type.Literal('coupon_code'), coupon_code: text() }),
    Type.Object({ type: Type.Literal('action'), action: FlowOrCatalogAction }),
  ],
  { isOpen: true },
)

const parameters = Type.Optional(Type.Array(TemplateParameter))

/** The index of one of ten buttons; clients send it as a number or as text. */
const ButtonIndex = Type.Unsafe<string | number>({
  type: ['integer', 'string'],
  pattern: PATTERNS.not_button_index,
  minimum: 0,
  maximum: 9,
  description: 'The place of the button, from 0 to 9, as a number or as text.',
})

export const ParametersTemplateComponent = Type.Object({
  type: Type.Enum(['header', 'body', 'limited_time_offer']),
  parameters,
})
export const ButtonTemplateComponent = Type.Object({
  type: Type.Literal('button'),
  sub_type: text(),
  index: Type.Optional(ButtonIndex),
  parameters,
})
const components = [ParametersTemplateComponent, ButtonTemplateComponent]

export const TemplateCardComponent = unionByType(components, { isOpen: true })

export const TemplateCard = Type.Object({
  card_index: Type.Integer({ minimum: 0, maximum: 9 }),
  components: Type.Array(TemplateCardComponent),
})
export const CarouselTemplateComponent = Type.Object({
  type: Type.Literal('carousel'),
  cards: Type.Array(TemplateCard, { minItems: 1, maxItems: 10 }),
})

export const TemplateComponent = unionByType([...components, CarouselTemplateComponent], { isOpen: true })

export const MessageTemplate = Type.Object({
  name: Type.String({
    pattern: PATTERNS.not_template_name,
    description: 'The name has 1 to 512 lower-case letters, digits and underscores.',
  }),
  language: Type.Object({
    code: Type.String({
      pattern: PATTERNS.not_language,
      description: 'The language code, such as pt_BR.',
    }),
    policy: Type.Optional(Type.Literal('deterministic')),
  }),
  components: Type.Optional(Type.Array(TemplateComponent)),
})
