import { type TSchema, Type } from 'typebox'
import type { ErrorCode } from '../../kernel/errors.ts'
import { oneOf } from '../../kernel/http/schemas.ts'
import type { OperationName } from './allowlist/allowlist.ts'
import { CALL_ACTIONS } from './writing/call-action.ts'

/** Members that are not listed pass as they are: the upstream knows them, and refuses those that it does not. */
const open = { additionalProperties: true }
const text = Type.Optional(Type.String())
/** The upstream writes ids as text, and the hub would pass a number on with all its digits. */
const id = Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'integer'] }))
const messaging_product = Type.Optional(Type.Literal('whatsapp'))

export const UpstreamObject = Type.Object({}, { ...open, description: "The upstream's response body, unchanged." })

export const UpstreamMessage = Type.Object(
  {
    messaging_product,
    recipient_type: text,
    to: text,
    recipient: text,
    type: text,
    biz_opaque_callback_data: text,
    status: text,
    message_id: text,
  },
  {
    ...open,
    description:
      'A message to `to` or `recipient`, with the member that `type` names; or a read receipt, with `status` and `message_id`.',
    examples: [
      { messaging_product: 'whatsapp', to: '5511987654321', type: 'text', text: { body: 'Good morning' } },
      { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjNFQjA' },
    ],
  },
)
export const UpstreamMessageSent = Type.Object(
  {
    messaging_product: text,
    contacts: Type.Optional(Type.Array(Type.Object({ input: text, wa_id: text, user_id: text }, open))),
    messages: Type.Optional(Type.Array(Type.Object({ id: Type.String() }, open))),
    success: Type.Optional(Type.Boolean({ description: 'True for a read receipt.' })),
  },
  open,
)

export const UpstreamProfile = Type.Object(
  {
    messaging_product,
    about: text,
    address: text,
    description: text,
    email: text,
    profile_picture_handle: text,
    vertical: text,
    websites: Type.Optional(Type.Array(Type.String())),
  },
  open,
)
export const UpstreamProfileList = Type.Object({ data: Type.Array(UpstreamProfile) }, open)

export const UpstreamCall = Type.Object(
  { messaging_product, call_id: Type.String(), action: oneOf(CALL_ACTIONS) },
  { ...open, description: '`messaging_product` may be in the query instead. Other members are dropped.' },
)
export const UpstreamSuccess = Type.Object({ success: Type.Optional(Type.Boolean()) }, open)

export const UpstreamTemplate = Type.Object(
  {
    name: Type.String(),
    language: Type.String(),
    category: text,
    components: Type.Optional(Type.Array(Type.Object({ type: text }, open))),
  },
  open,
)
export const UpstreamTemplateCreated = Type.Object({ id: Type.String(), status: text, category: text }, open)
export const UpstreamTemplateList = Type.Object(
  {
    data: Type.Array(Type.Object({ id, name: text, language: text, category: text, status: text }, open)),
    paging: Type.Optional(
      Type.Object(
        {
          cursors: Type.Optional(Type.Object({ before: text, after: text }, open)),
          previous: text,
          next: Type.Optional(Type.String({ description: 'The address of the next page at this hub.' })),
        },
        open,
      ),
    ),
  },
  open,
)

export const UpstreamMediaUploaded = Type.Object({ id: Type.String() })
export const UpstreamHandle = Type.Object({
  h: Type.String({ description: 'The handle for `example.header_handle` of a template.' }),
})

export const GraphErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      message: Type.String({ description: 'An explanation for people. Its text may change.' }),
      type: Type.String(),
      code: Type.Integer(),
      error_subcode: Type.Optional(Type.Integer()),
      error_data: Type.Optional(Type.Unknown()),
      error_user_title: Type.Optional(Type.String()),
      error_user_msg: Type.Optional(Type.String()),
      is_transient: Type.Optional(Type.Boolean()),
      fbtrace_id: Type.String({ description: "The upstream's id of the request, or the hub's if the hub refused it." }),
    }),
  },
  { description: 'An error in the form of the Graph API.' },
)

const File = Type.String({ format: 'binary' })
export const UpstreamMediaForm = Type.Object({ file: File, messaging_product, type: text })
export const UpstreamHandleForm = Type.Object({ file: File })

const FIELDS_ERRORS: ErrorCode[] = ['INVALID_FIELD_MODIFIER']
const FILE_ERRORS: ErrorCode[] = ['INVALID_MEDIA', 'MEDIA_TOO_LARGE']

/** `response` is null for the bytes of a file. */
type Description = {
  summary: string
  body?: TSchema
  form?: TSchema
  response: TSchema | null
  errors?: ErrorCode[]
}

/** Describes the parameters and responses of each path of the allowlist, as far as clients rely on them. The facade validates none of it. */
export const FACADE_OPERATIONS: Record<OperationName, Description> = {
  readNumber: { summary: "Read the channel's number", response: UpstreamObject, errors: FIELDS_ERRORS },
  readProfile: { summary: "Read the number's profile", response: UpstreamProfileList, errors: FIELDS_ERRORS },
  readAccount: { summary: "Read the number's account", response: UpstreamObject, errors: FIELDS_ERRORS },
  listTemplates: { summary: "List the account's templates", response: UpstreamTemplateList, errors: FIELDS_ERRORS },
  readMedia: { summary: 'Read the type, size and address of a file', response: UpstreamObject },
  downloadMedia: {
    summary: 'Download a file, or with `Range` a part of it',
    response: null,
    errors: ['RANGE_NOT_SATISFIABLE'],
  },
  postMessage: {
    summary: 'Send a message or a read receipt',
    body: UpstreamMessage,
    response: UpstreamMessageSent,
    errors: ['SUBSCRIPTION_SUSPENDED', 'SEND_RESULT_UNKNOWN'],
  },
  uploadMedia: {
    summary: 'Upload a file for sending',
    form: UpstreamMediaForm,
    response: UpstreamMediaUploaded,
    errors: FILE_ERRORS,
  },
  updateProfile: { summary: "Change the number's profile", body: UpstreamProfile, response: UpstreamSuccess },
  endCall: {
    summary: 'Reject or end a call',
    body: UpstreamCall,
    response: UpstreamSuccess,
    errors: ['INVALID_CALL'],
  },
  createTemplate: { summary: 'Create a template', body: UpstreamTemplate, response: UpstreamTemplateCreated },
  createHandle: {
    summary: "Upload an example for a template's header",
    form: UpstreamHandleForm,
    response: UpstreamHandle,
    errors: FILE_ERRORS,
  },
  deleteTemplates: {
    summary: 'Delete a template by name, and with `hsm_id` one language only',
    response: UpstreamSuccess,
    errors: ['INVALID_TEMPLATE_ID'],
  },
  listNumbers: { summary: "List the channel's number", response: UpstreamObject },
  deleteMedia: { summary: 'Delete a file', response: UpstreamSuccess },
  listSubscribedApps: { summary: "Show the hub's app", response: UpstreamObject },
  subscribeApp: { summary: 'Check that an endpoint has the address of an override', response: UpstreamSuccess },
  unsubscribeApp: { summary: 'Succeed without an effect', response: UpstreamSuccess },
  configureNumber: { summary: 'Check that an endpoint has the address of an override', response: UpstreamSuccess },
  readTemplate: { summary: 'Read a template of the account', response: UpstreamObject },
  editTemplate: { summary: 'Edit a template of the account', response: UpstreamSuccess },
  deleteTemplate: { summary: 'Delete a template of the account in one language', response: UpstreamSuccess },
  postMarketingMessage: {
    summary: 'Send a marketing template with the Marketing Messages API',
    response: UpstreamMessageSent,
  },
  listBlocked: { summary: 'List the people whom the number blocks', response: UpstreamObject },
  block: { summary: 'Block people', response: UpstreamObject },
  unblock: { summary: 'Unblock people', response: UpstreamObject },
  listQrCodes: { summary: 'List QR codes', response: UpstreamObject },
  saveQrCode: { summary: 'Create a QR code, or change the one with `code`', response: UpstreamObject },
  readQrCode: { summary: 'Read a QR code', response: UpstreamObject },
  deleteQrCode: { summary: 'Delete a QR code', response: UpstreamSuccess },
  setAutomation: { summary: 'Set the prompts, commands and welcome message', response: UpstreamSuccess },
  readCommerceSettings: { summary: 'Read the settings of cart and catalog', response: UpstreamObject },
  setCommerceSettings: { summary: 'Change the settings of cart and catalog', response: UpstreamSuccess },
  readEncryptionKey: { summary: 'Read the public key for flows', response: UpstreamObject },
  setEncryptionKey: { summary: 'Set the public key for flows', response: UpstreamSuccess },
  readUsername: { summary: 'Read the username', response: UpstreamObject },
  setUsername: { summary: 'Set the username', response: UpstreamObject },
  deleteUsername: { summary: 'Delete the username', response: UpstreamObject },
  readCallingSettings: { summary: 'Read the settings of calls', response: UpstreamObject },
  setCallingSettings: { summary: 'Change the settings of calls', response: UpstreamSuccess },
  openUpload: { summary: 'Announce a file, and get a session for it', response: UpstreamObject },
  fillUpload: { summary: 'Send the bytes of a file to its session', response: UpstreamHandle },
  readUpload: { summary: 'Read how many bytes a session has received', response: UpstreamObject },
  debugToken: { summary: 'Describe the calling token', response: UpstreamObject },
}
