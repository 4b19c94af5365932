import { type TSchema, Type } from 'typebox'

/** The hub passes the object on and checks none of its members. Those that are not listed pass too. */
const open = { additionalProperties: true, 'x-passed-on': true }
const text = (description: string) => Type.Optional(Type.String({ description }))
const member = Type.Optional(Type.String())

export const TextContent = Type.Object(
  {
    body: Type.String({ description: 'The text of the message.' }),
    preview_url: Type.Optional(Type.Boolean({ description: 'True if the sender asked for a preview of a link.' })),
  },
  { ...open, description: 'The content of a text.' },
)

export const MediaContent = Type.Object(
  {
    id: Type.String({ description: "The upstream's id of the file." }),
    mime_type: text('The type of the file, such as image/jpeg. Files that people send have one.'),
    sha256: text('The SHA-256 of the file in base64. Files that people send have one.'),
    url: text('The address of the file. It needs a credential and expires after a few minutes.'),
    caption: text('The text under the file.'),
    filename: text('The name of a document.'),
    voice: Type.Optional(Type.Boolean({ description: 'True for a voice message, false for another recording.' })),
    animated: Type.Optional(Type.Boolean({ description: 'True for an animated sticker.' })),
  },
  { ...open, description: 'The content of an image, a video, a recording, a document or a sticker.' },
)

export const LinkedMediaContent = Type.Object(
  {
    link: Type.String({ description: 'The address that the file was sent with.' }),
    caption: text('The text under the file.'),
    filename: text('The name of a document.'),
    voice: Type.Optional(Type.Boolean({ description: 'True for a voice message.' })),
  },
  { description: 'The content of a file that was sent by its address.' },
)

export const LocationContent = Type.Object(
  {
    latitude: Type.Number({ description: 'Degrees from -90 to 90.' }),
    longitude: Type.Number({ description: 'Degrees from -180 to 180.' }),
    name: text('The name of the place.'),
    address: text('The address of the place.'),
    url: text('A page about the place.'),
  },
  { ...open, description: 'The content of a location.' },
)

export const SharedContact = Type.Object(
  {
    name: Type.Optional(
      Type.Object({ formatted_name: member, first_name: member, last_name: member, middle_name: member }, open),
    ),
    phones: Type.Optional(Type.Array(Type.Object({ phone: member, type: member, wa_id: member }, open))),
    emails: Type.Optional(Type.Array(Type.Object({ email: member, type: member }, open))),
    urls: Type.Optional(Type.Array(Type.Object({ url: member, type: member }, open))),
    org: Type.Optional(Type.Object({ company: member, department: member, title: member }, open)),
    birthday: text('A day such as 1987-05-31.'),
    vcard: text('The contact as a vCard.'),
  },
  { ...open, description: 'One of the contacts of a message.' },
)
export const ContactsContent = Type.Array(SharedContact, { description: 'The content of a message of contacts.' })

export const ReactionContent = Type.Object(
  {
    message_id: Type.String({ description: "The upstream's id of the message that the reaction is to." }),
    emoji: text('The reaction. Empty or absent if it was taken back.'),
  },
  { ...open, description: 'The content of a reaction.' },
)

export const ButtonContent = Type.Object(
  {
    text: Type.String({ description: 'The text of the button.' }),
    payload: Type.String({ description: 'The payload that the template set for the button.' }),
  },
  { ...open, description: 'The content of a tap on a button of a template.' },
)

const Choice = { id: Type.String({ description: 'The id that the sender chose.' }), title: member }
export const InteractiveContent = Type.Object(
  {
    type: Type.String({
      description:
        'The kind of message: button_reply, list_reply, nfm_reply or another answer, or the form that was sent.',
    }),
    button_reply: Type.Optional(Type.Object(Choice, { ...open, description: 'The button that the person chose.' })),
    list_reply: Type.Optional(
      Type.Object({ ...Choice, description: member }, { ...open, description: 'The row that the person chose.' }),
    ),
    nfm_reply: Type.Optional(
      Type.Object(
        { name: member, body: member, response_json: text('The answers, as the text of a JSON object.') },
        { ...open, description: 'The answers to a flow.' },
      ),
    ),
    call_permission_reply: Type.Optional(
      Type.Object(
        { response: member, is_permanent: Type.Optional(Type.Boolean()), response_source: member },
        { ...open, description: 'The answer to a request to call.' },
      ),
    ),
    header: Type.Optional(
      Type.Object({ type: member }, { ...open, description: 'The header of a form that was sent.' }),
    ),
    body: Type.Optional(Type.Object({ text: member }, { ...open, description: 'The body of a form that was sent.' })),
    footer: Type.Optional(
      Type.Object({ text: member }, { ...open, description: 'The footer of a form that was sent.' }),
    ),
    action: Type.Optional(Type.Object({}, { ...open, description: 'The buttons or rows of a form that was sent.' })),
  },
  { ...open, description: 'The content of an answer to buttons, a list or a flow, or of such a form.' },
)

export const OrderContent = Type.Object(
  {
    catalog_id: Type.String({ description: 'The catalog of the products.' }),
    text: text('The text that the person wrote with the order.'),
    product_items: Type.Array(
      Type.Object(
        {
          product_retailer_id: member,
          quantity: Type.Optional(Type.Number()),
          item_price: Type.Optional(Type.Number()),
          currency: member,
        },
        open,
      ),
    ),
  },
  { ...open, description: 'The content of an order.' },
)

export const SystemContent = Type.Object(
  {
    type: Type.String({ description: 'The kind of change, such as user_changed_number.' }),
    body: Type.String({ description: 'A sentence about it.' }),
    wa_id: text('The new number of the person.'),
    user_id: text('The new user id of the person.'),
    previous_user_id: text('The user id before.'),
  },
  { ...open, description: 'The content of a notice about a person.' },
)

export const EditContent = Type.Object(
  {
    original_message_id: Type.String({ description: "The upstream's id of the message that was edited." }),
    message: Type.Object({ type: Type.String() }, { ...open, description: 'The message as it is now.' }),
  },
  { ...open, description: 'The content of an edit.' },
)

export const RevokeContent = Type.Object(
  { original_message_id: Type.String({ description: "The upstream's id of the message that was deleted." }) },
  { ...open, description: 'The content of a deletion.' },
)

export const TemplateContent = Type.Object(
  {
    name: Type.String({ description: 'The name of the template.' }),
    language: Type.Object({ code: member }, { ...open, description: 'The language of the template.' }),
    components: Type.Optional(Type.Array(Type.Object({ type: member }, open))),
  },
  { ...open, description: 'The content of a template that was sent.' },
)

/** With a member, because generators make a class of it then; without, they take it for any value and try it too early. */
export const UnknownContent = Type.Object(
  { type: text('The kind of the content, if it names one.') },
  { ...open, 'x-fallback': true, description: 'The content of a message of any other type, unchanged.' },
)

const MEDIA = [MediaContent, LinkedMediaContent]

/** The schemas that the content of each type of message may have. */
export const CONTENT_TYPES = {
  text: [TextContent],
  image: MEDIA,
  video: MEDIA,
  audio: MEDIA,
  document: MEDIA,
  sticker: MEDIA,
  location: [LocationContent],
  contacts: [ContactsContent],
  reaction: [ReactionContent],
  button: [ButtonContent],
  interactive: [InteractiveContent],
  order: [OrderContent],
  template: [TemplateContent],
  system: [SystemContent],
  edit: [EditContent],
  revoke: [RevokeContent],
  unsupported: [UnknownContent],
  // A type that a client does not know falls to the same branch as these.
  request_welcome: [UnknownContent],
  unknown: [UnknownContent],
} satisfies Record<string, TSchema[]>

/**
 * The content of a message: which of these follows from its type. A client that does not look at the type takes the first
 * that fits, in this order or in that of the names: the members that they require tell them apart. The hub validates none.
 */
export const MessageContent = Type.Unsafe<unknown>({
  anyOf: [
    TemplateContent,
    OrderContent,
    EditContent,
    RevokeContent,
    ReactionContent,
    ButtonContent,
    LocationContent,
    InteractiveContent,
    SystemContent,
    TextContent,
    MediaContent,
    LinkedMediaContent,
    ContactsContent,
    UnknownContent,
  ],
  description: 'The object that the type of the message names.',
  'x-passed-on': true,
})

export const MessageContext = Type.Object(
  {
    id: text("The upstream's id of the message that this one answers."),
    from: text('The sender of that message.'),
    forwarded: Type.Optional(Type.Boolean({ description: 'True if the message was forwarded.' })),
    frequently_forwarded: Type.Optional(
      Type.Boolean({ description: 'True if it was forwarded more than five times.' }),
    ),
    referred_product: Type.Optional(
      Type.Object(
        { catalog_id: member, product_retailer_id: member },
        { ...open, description: 'The product asked about.' },
      ),
    ),
  },
  { ...open, description: 'The message or product that this message refers to, as the upstream says it.' },
)

export const MessagePricing = Type.Object(
  {
    billable: Type.Optional(Type.Boolean({ description: 'True if the message costs something.' })),
    pricing_model: text('The way in which the upstream counts, such as PMP for each message.'),
    type: text('The reason why it costs something or not: regular, free_customer_service or free_entry_point.'),
    category: text('The category of the price, such as marketing, utility or service.'),
  },
  { ...open, description: 'The category and model of the price, as the upstream says them.' },
)

export const MessageStatusDetail = Type.Object(
  {
    id: text("The upstream's id of the message."),
    status: text('The status that the upstream reported: sent, delivered, read, played or failed.'),
    timestamp: text('The time at which it happened, in seconds since the Unix epoch, as text.'),
    recipient_id: text('The number of the recipient.'),
    recipient_user_id: text('The user id of the recipient.'),
    biz_opaque_callback_data: text('The data that the send gave to be repeated here.'),
    pricing: Type.Optional(MessagePricing),
    errors: Type.Optional(
      Type.Array(
        Type.Object({ code: Type.Optional(Type.Integer()), title: member, message: member, href: member }, open),
      ),
    ),
  },
  { ...open, description: "The upstream's status object, unchanged." },
)
