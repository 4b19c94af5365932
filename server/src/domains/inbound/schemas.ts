import { type TObject, type TProperties, Type } from 'typebox'
import { documentAs, nullable, Timestamp, Uuid } from '../../kernel/http/schemas.ts'
import { CONTENT_TYPES, MessageContent, MessageContext } from '../messages/message-content.ts'
import { Contact } from '../messages/schemas.ts'

const Text = nullable(Type.String())
const open = { additionalProperties: true, 'x-passed-on': true }
const member = Type.Optional(Type.String())
const nullableMember = Type.Optional(Text)
/** A change as the upstream sent it. The members are those that it usually has. */
const buildChange = (example: object, members: TProperties) =>
  passOn(Type.Object(members, { ...open, examples: [example], description: 'The change as the upstream sent it.' }))

/** Described with its usual members, and checked for none of them. */
function passOn(shown: TObject, members: TProperties = {}) {
  return documentAs(Type.Object(members, { additionalProperties: true }), shown)
}

/** The `data` of template.status. */
export const TemplateEventData = Type.Object({
  template: Type.Object({ id: Text, name: Text, language: Text, category: Text, status: Text }),
  change: buildChange(
    { event: 'APPROVED', message_template_id: 106540352242922, message_template_name: 'Front desk' },
    {
      event: Type.Optional(Type.String({ description: 'The new status, such as APPROVED, REJECTED or PAUSED.' })),
      message_template_id: Type.Optional(Type.Integer({ format: 'int64', description: 'May be greater than 2^53.' })),
      message_template_name: member,
      message_template_language: member,
      message_template_category: member,
      reason: nullableMember,
      previous_category: member,
      new_category: member,
      previous_quality_score: member,
      new_quality_score: member,
      other_info: Type.Optional(Type.Object({ title: member, description: member }, open)),
    },
  ),
})

/** The `data` of phone.quality. */
export const NumberEventData = Type.Object({
  number: Type.Object({
    phone_number_id: Type.String(),
    display_phone_number: Text,
    verified_name: Text,
    quality_rating: nullable(
      Type.String({
        description: 'The rating that the hub knows when the change arrives: GREEN, YELLOW, RED or UNKNOWN.',
      }),
    ),
  }),
  change: buildChange(
    { display_phone_number: '5511987654321', event: 'FLAGGED', current_limit: 'TIER_1K' },
    {
      display_phone_number: member,
      event: Type.Optional(Type.String({ description: 'The change of the quality or the limit, such as DOWNGRADE.' })),
      current_limit: member,
      old_limit: member,
      decision: Type.Optional(Type.String({ description: 'The decision about a new name.' })),
      requested_verified_name: member,
      rejection_reason: nullableMember,
    },
  ),
})

/** The `data` of payment.status. */
export const PaymentEventData = Type.Object({
  message_id: nullable(Uuid),
  upstream_message_id: Type.String(),
  status: Type.String({ description: "The upstream's status of the payment: pending, captured or failed." }),
  payment: nullable(
    passOn(
      Type.Object(
        {
          reference_id: Type.Optional(Type.String({ description: 'The reference that the order was sent with.' })),
          amount: Type.Optional(
            Type.Object(
              {
                value: Type.Optional(Type.Number({ description: 'The amount multiplied by `offset`.' })),
                offset: Type.Optional(Type.Number()),
              },
              open,
            ),
          ),
          currency: member,
          transaction: Type.Optional(Type.Object({ id: member, type: member, status: member }, open)),
        },
        {
          ...open,
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
  ),
})

/** The `data` of contact.preferences. */
export const ContactPreferencesEventData = Type.Object({
  contact: nullable(Contact),
  preference: Type.Object({
    category: Type.String({
      description: 'The kind of messages that the preference is about, such as marketing_messages.',
    }),
    value: Type.String({ description: 'The choice of the contact: stop, resume or signup.' }),
    detail: nullable(Type.String({ description: "The upstream's sentence about the choice." })),
  }),
})

/** The `data` of contact.changed. */
export const ContactChangedEventData = Type.Object({
  contact: nullable(Contact),
  previous: Type.Object({
    wa_id: Type.Optional(Type.String({ description: 'The number before. Absent unless it changed.' })),
    user_id: Type.Optional(Type.String({ description: 'The user id before. Absent unless the upstream gave it.' })),
    parent_user_id: Type.Optional(
      Type.String({ description: 'The parent user id before. Absent unless the upstream gave it.' }),
    ),
  }),
})

/** The `data` of contact.synced. */
export const ContactSyncedEventData = Type.Object({
  contacts: Type.Array(
    Type.Object({
      wa_id: Type.String({ description: 'The number in digits.' }),
      name: nullable(Type.String({ description: "The full name in the business's own app." })),
      first_name: Text,
      action: nullable(Type.String({ description: 'The change of the contact in the app: add or remove.' })),
    }),
    { description: 'Up to 100 contacts. A longer list arrives in several events.' },
  ),
})

const buildCall = (description: string, example: object) =>
  Type.Object({
    call: passOn(
      Type.Object(
        { id: Type.String(), from: member, to: member, event: member, direction: member, status: member },
        { ...open, description, examples: [example] },
      ),
      { id: Type.String() },
    ),
  })

/** The `data` of call.received. */
export const CallReceivedEventData = buildCall("The upstream's call without its `session`, which is in upstream.raw.", {
  id: 'wacid.HBgLNTUxMTk4NzY1NDMyMRUCABIYFjNFQjA',
  from: '5511987654321',
  to: '5511912345678',
  event: 'connect',
  direction: 'USER_INITIATED',
  timestamp: '1769860800',
})

/** The `data` of call.status. */
export const CallStatusEventData = buildCall(
  "The upstream's status of a call (RINGING, ACCEPTED or REJECTED); or the call, without its `session`, when it ends or the business makes it.",
  {
    id: 'wacid.HBgLNTUxMTk4NzY1NDMyMRUCABIYFjNFQjA',
    from: '5511987654321',
    to: '5511912345678',
    event: 'terminate',
    direction: 'USER_INITIATED',
    status: 'COMPLETED',
    duration: 73,
    timestamp: '1769860873',
  },
)

/** The `data` of group.changed. */
export const GroupEventData = Type.Object({
  group_id: Type.String(),
  change: buildChange(
    {
      field: 'group_lifecycle_update',
      type: 'group_create',
      group_id: 'Y2FwaV9ncm91cDo1NTExOTg3NjU0MzIx',
      subject: 'Orders of the week',
      invite_link: 'https://chat.whatsapp.com/ABcdEfGhIjK',
      timestamp: '1769860800',
    },
    { field: member, type: member, group_id: member, subject: member, invite_link: member },
  ),
})

/** The `data` of flow.status. */
export const FlowEventData = Type.Object({
  flow_id: Text,
  change: buildChange(
    {
      field: 'flows',
      event: 'FLOW_STATUS_CHANGE',
      flow_id: '1084230113',
      old_status: 'DRAFT',
      new_status: 'PUBLISHED',
      message: 'Flow Signup changed status from DRAFT to PUBLISHED',
    },
    { field: member, event: member, flow_id: member, old_status: member, new_status: member, message: member },
  ),
})

/** The `data` of history.message. */
export const HistoryEventData = Type.Object({
  contact: Contact,
  messages: Type.Array(
    Type.Object(
      {
        upstream_message_id: Type.String(),
        direction: Type.Enum(['inbound', 'outbound'], { type: 'string' }),
        type: Type.String({ description: 'The type of the message; media_placeholder for a file that may follow.' }),
        status: nullable(
          Type.String({
            description: "The upstream's status of the message in the app, such as sent, delivered, read or pending.",
          }),
        ),
        from: Text,
        to: Text,
        content: documentAs(Type.Unknown(), nullable(MessageContent)),
        context: nullable(passOn(MessageContext)),
        error: nullable(Type.Object({ code: nullable(Type.Integer()), title: Text, details: Text })),
        created_at: Timestamp,
      },
      { 'x-content-types': CONTENT_TYPES },
    ),
    { description: 'Up to 100 messages of the chat with the contact. A longer chat arrives in several events.' },
  ),
  phase: nullable(
    Type.Integer({
      description: 'The part of the history: 0 is the last day, 1 up to 90 days, 2 up to 180 days. Null for files.',
    }),
  ),
  progress: nullable(
    Type.Integer({ description: 'The part of the history that was sent, in percent. Null for files.' }),
  ),
})

/** The `data` of account.update. */
export const AccountEventData = Type.Object({
  change: passOn(
    Type.Object(
      {
        field: Type.String({ description: "The upstream's field that the change is of, such as account_update." }),
        event: Type.Optional(Type.String({ description: 'The kind of change, such as DISABLED_UPDATE.' })),
        decision: Type.Optional(Type.String({ description: 'The decision of a review.' })),
        ban_info: Type.Optional(Type.Object({ waba_ban_state: member, waba_ban_date: member }, open)),
        violation_info: Type.Optional(Type.Object({ violation_type: member }, open)),
        disconnection_info: Type.Optional(Type.Object({ reason: member, initiated_by: member }, open)),
      },
      open,
    ),
    { field: Type.String() },
  ),
})
