// Generated from openapi.json by `npm run generate`. Do not edit.

import type { List } from '../pages.ts'
import type { RequestOptions } from '../request.ts'
import { path, Resource } from '../resource.ts'
import type {
  AlertSettingsResponse,
  AttentionItem,
  BeginTotp,
  ChangePassword,
  ChangeRole,
  ChannelActivity,
  ChannelResponse,
  ConfirmEmail,
  ConsoleDelivery,
  ConsoleMessage,
  ConsoleMessageDetail,
  Conversation,
  CurrentSessionResponse,
  CustomerRead,
  CustomerWrote,
  DailyStatistics,
  DeletionCanceled,
  DeletionRequested,
  DeliveryDetail,
  DeliveryPayload,
  Done,
  EditTemplate,
  EndpointStatistics,
  ErasePerson,
  Erasure,
  ErasurePreview,
  ErasureResponse,
  ExampleUploaded,
  FinishSignUp,
  FoundDelivery,
  InspectedDelivery,
  InspectorDeleted,
  InspectorResponse,
  Invitation,
  InvitationRevoked,
  Invite,
  Invited,
  InvoiceView,
  Join,
  ListedLink,
  ListenerView,
  LoggedRequest,
  MediaUpload,
  Member,
  MemberRemoved,
  MemberResponse,
  NamesRequest,
  NumberFaults,
  NumberFaultsResponse,
  OpenInvitation,
  OpenPasswordReset,
  OpenVerification,
  Organization,
  PasswordResetRequested,
  Pause,
  PendingSignUp,
  PriceView,
  QualitySet,
  ReadAsCustomer,
  Recoverable,
  RequestDeletion,
  RequestErrorGroup,
  RequestPasswordReset,
  ResetPassword,
  RevealedMessage,
  RevealedPayload,
  ReviewTemplate,
  SandboxAvailable,
  Session,
  SetQuality,
  SettingsResponse,
  Setup,
  SignIn,
  SignUp,
  Statistics,
  SwitchOrganization,
  TemplateEdited,
  TemplateReviewed,
  TemplatesDeleted,
  TestAllowance,
  Tested,
  TotpBegun,
  TotpCode,
  TotpDisable,
  UpdateAccount,
  UpdateAlertSettings,
  UpdateInspector,
  UpdateLogo,
  UpdateSettings,
  UpstreamTokenRevoked,
  VerificationSent,
  VerifyEmail,
  Webhook,
  WebhookResponse,
  WriteAsCustomer,
} from './console-types.gen.ts'

export class Console extends Resource {
  /** List the organizations of the signed-in person. */
  listOrganizations(options?: RequestOptions): List<Organization> {
    return this.requester.list('organizations', { method: 'GET', path: '/console/organizations' }, options)
  }

  /** Create a person and an organization, and sign in, or send a link that finishes the sign-up. If the hub sends mail, the answer is 202 for every e-mail, and the link in the mail creates the account. Without mail, and in the sandbox, the account is created at once. */
  signUp(body: SignUp, options?: RequestOptions): Promise<CurrentSessionResponse | VerificationSent> {
    return this.requester.send({ method: 'POST', path: '/console/sign-up', body }, options)
  }

  /** Show the sign-up of a link. */
  showSignUp(token: string, options?: RequestOptions): Promise<PendingSignUp> {
    return this.requester.send({ method: 'GET', path: path`/console/sign-up/${token}` }, options)
  }

  /** Create the account of a link with the password of the sign-up, and sign in. */
  finishSignUp(token: string, body: FinishSignUp, options?: RequestOptions): Promise<CurrentSessionResponse> {
    return this.requester.send({ method: 'POST', path: path`/console/sign-up/${token}`, body }, options)
  }

  /** Show the settings of an organization. */
  showSettings(organizationId: string, options?: RequestOptions): Promise<SettingsResponse> {
    return this.requester.send(
      { method: 'GET', path: path`/console/organizations/${organizationId}/settings` },
      options,
    )
  }

  /** Change settings of an organization. */
  updateSettings(organizationId: string, body: UpdateSettings, options?: RequestOptions): Promise<SettingsResponse> {
    return this.requester.send(
      { method: 'PATCH', path: path`/console/organizations/${organizationId}/settings`, body },
      options,
    )
  }

  /** Download the logo of an organization. */
  downloadLogo(
    organizationId: string,
    query: {
      /** The version in the `url` of the logo. It is not compared. */ v?: string | undefined
    } = {},
    options?: RequestOptions,
  ): Promise<Response> {
    return this.requester.stream(
      { method: 'GET', path: path`/console/organizations/${organizationId}/logo`, query },
      options,
    )
  }

  /** Set the logo of an organization. */
  updateLogo(organizationId: string, body: UpdateLogo, options?: RequestOptions): Promise<SettingsResponse> {
    return this.requester.send(
      { method: 'PUT', path: path`/console/organizations/${organizationId}/logo`, body },
      options,
    )
  }

  /** Remove the logo of an organization. */
  deleteLogo(organizationId: string, options?: RequestOptions): Promise<SettingsResponse> {
    return this.requester.send({ method: 'DELETE', path: path`/console/organizations/${organizationId}/logo` }, options)
  }

  /** Show how people get in, before anyone is signed in. */
  showSetup(options?: RequestOptions): Promise<Setup> {
    return this.requester.send({ method: 'GET', path: '/console/setup' }, options)
  }

  /** Sign in with e-mail, password and, if enabled, a one-time code. */
  signIn(body: SignIn, options?: RequestOptions): Promise<CurrentSessionResponse> {
    return this.requester.send({ method: 'POST', path: '/console/sign-in', body }, options)
  }

  /** End this session. */
  signOut(options?: RequestOptions): Promise<Done> {
    return this.requester.send({ method: 'POST', path: '/console/sign-out' }, options)
  }

  /** Show who is signed in, and for which organization. */
  showSession(options?: RequestOptions): Promise<CurrentSessionResponse> {
    return this.requester.send({ method: 'GET', path: '/console/session' }, options)
  }

  /** Switch the session to another organization. */
  switchOrganization(body: SwitchOrganization, options?: RequestOptions): Promise<CurrentSessionResponse> {
    return this.requester.send({ method: 'PUT', path: '/console/session/organization', body }, options)
  }

  /** List the sessions of the person. */
  listSessions(options?: RequestOptions): List<Session> {
    return this.requester.list('sessions', { method: 'GET', path: '/console/sessions' }, options)
  }

  /** End another session of the person. */
  revokeSession(sessionId: string, options?: RequestOptions): Promise<Done> {
    return this.requester.send({ method: 'DELETE', path: path`/console/sessions/${sessionId}` }, options)
  }

  /** Send a link for a new password by mail, if the e-mail has an account. */
  requestPasswordReset(body: RequestPasswordReset, options?: RequestOptions): Promise<PasswordResetRequested> {
    return this.requester.send({ method: 'POST', path: '/console/password-reset', body }, options)
  }

  /** Show the password reset of a link. */
  showPasswordReset(token: string, options?: RequestOptions): Promise<OpenPasswordReset> {
    return this.requester.send({ method: 'GET', path: path`/console/password-reset/${token}` }, options)
  }

  /** Set a new password, and end every session. */
  resetPassword(token: string, body: ResetPassword, options?: RequestOptions): Promise<Done> {
    return this.requester.send({ method: 'POST', path: path`/console/password-reset/${token}`, body }, options)
  }

  /** Send a link and a code to the e-mail of the signed-in person. */
  requestEmailVerification(options?: RequestOptions): Promise<VerificationSent> {
    return this.requester.send({ method: 'POST', path: '/console/email-verification' }, options)
  }

  /** Verify the e-mail of the signed-in person with the code in the mail. */
  confirmEmail(body: ConfirmEmail, options?: RequestOptions): Promise<CurrentSessionResponse> {
    return this.requester.send({ method: 'POST', path: '/console/email-verification/confirm', body }, options)
  }

  /** Show which e-mail a link verifies. */
  showEmailVerification(token: string, options?: RequestOptions): Promise<OpenVerification> {
    return this.requester.send({ method: 'GET', path: path`/console/email-verification/${token}` }, options)
  }

  /** Verify an e-mail with the link in the mail and the password of the account. */
  verifyEmail(token: string, body: VerifyEmail, options?: RequestOptions): Promise<Done> {
    return this.requester.send({ method: 'POST', path: path`/console/email-verification/${token}`, body }, options)
  }

  /** Change the name of the signed-in person. */
  updateAccount(body: UpdateAccount, options?: RequestOptions): Promise<CurrentSessionResponse> {
    return this.requester.send({ method: 'PATCH', path: '/console/account', body }, options)
  }

  /** Change the password, and end every other session. */
  changePassword(body: ChangePassword, options?: RequestOptions): Promise<Done> {
    return this.requester.send({ method: 'PUT', path: '/console/password', body }, options)
  }

  /** Create a secret for one-time codes, to be confirmed. */
  beginTotp(body: BeginTotp, options?: RequestOptions): Promise<TotpBegun> {
    return this.requester.send({ method: 'POST', path: '/console/totp', body }, options)
  }

  /** Enable one-time codes with a first code. */
  confirmTotp(body: TotpCode, options?: RequestOptions): List<string> {
    return this.requester.list('recovery_codes', { method: 'POST', path: '/console/totp/confirm', body }, options)
  }

  /** Disable one-time codes. */
  disableTotp(body: TotpDisable, options?: RequestOptions): Promise<Done> {
    return this.requester.send({ method: 'POST', path: '/console/totp/disable', body }, options)
  }

  /** List the members of the organization. */
  listMembers(options?: RequestOptions): List<Member> {
    return this.requester.list('members', { method: 'GET', path: '/console/members' }, options)
  }

  /** Show if the signed-in person gets mails about endpoints and channels of the organization. */
  showAlertSettings(options?: RequestOptions): Promise<AlertSettingsResponse> {
    return this.requester.send({ method: 'GET', path: '/console/alerts' }, options)
  }

  /** Decide if the signed-in person gets mails about endpoints and channels of the organization. */
  setAlertSettings(body: UpdateAlertSettings, options?: RequestOptions): Promise<AlertSettingsResponse> {
    return this.requester.send({ method: 'PUT', path: '/console/alerts', body }, options)
  }

  /** Change the role of a member. */
  changeRole(memberId: string, body: ChangeRole, options?: RequestOptions): Promise<MemberResponse> {
    return this.requester.send({ method: 'PATCH', path: path`/console/members/${memberId}`, body }, options)
  }

  /** Remove a member, or leave. */
  removeMember(memberId: string, options?: RequestOptions): Promise<MemberRemoved> {
    return this.requester.send({ method: 'DELETE', path: path`/console/members/${memberId}` }, options)
  }

  /** List open invitations, newest first. */
  listInvitations(
    query: { limit?: number | undefined; cursor?: string | undefined } = {},
    options?: RequestOptions,
  ): List<Invitation> {
    return this.requester.list('invitations', { method: 'GET', path: '/console/invitations', query }, options)
  }

  /** Invite a person by a link that works once, and send it by mail if the hub has a mail server. */
  createInvitation(body: Invite, options?: RequestOptions): Promise<Invited> {
    return this.requester.send({ method: 'POST', path: '/console/invitations', body }, options)
  }

  /** Revoke an invitation. */
  revokeInvitation(invitationId: string, options?: RequestOptions): Promise<InvitationRevoked> {
    return this.requester.send({ method: 'DELETE', path: path`/console/invitations/${invitationId}` }, options)
  }

  /** Show the invitation of a link. */
  showInvitation(token: string, options?: RequestOptions): Promise<OpenInvitation> {
    return this.requester.send({ method: 'GET', path: path`/console/join/${token}` }, options)
  }

  /** Join the organization, and sign in. */
  acceptInvitation(token: string, body: Join, options?: RequestOptions): Promise<CurrentSessionResponse> {
    return this.requester.send({ method: 'POST', path: path`/console/join/${token}`, body }, options)
  }

  /** List the invoices of an organization as the payment provider has them, newest first. */
  listInvoices(
    organizationId: string,
    query: {
      limit?: number | undefined
      status?: 'open' | 'paid' | 'uncollectible' | 'void' | undefined
      cursor?: string | undefined
    } = {},
    options?: RequestOptions,
  ): List<InvoiceView> {
    return this.requester.list(
      'invoices',
      { method: 'GET', path: path`/console/organizations/${organizationId}/invoices`, query },
      options,
    )
  }

  /** List the prices of the plans and of an additional connection, as the payment provider has them. A price that the provider does not have is missing. */
  listPrices(options?: RequestOptions): List<PriceView> {
    return this.requester.list('prices', { method: 'GET', path: '/console/billing/prices' }, options)
  }

  /** Stream the ids and kinds of what changes in an organization, as server-sent events. */
  streamLiveUpdates(organizationId: string, options?: RequestOptions): Promise<Response> {
    return this.requester.stream(
      { method: 'GET', path: path`/console/organizations/${organizationId}/events` },
      options,
    )
  }

  /** List the ten newest connect links of a channel, without their addresses. */
  listConnectLinks(channelId: string, options?: RequestOptions): List<ListedLink> {
    return this.requester.list(
      'connect_links',
      { method: 'GET', path: path`/console/channels/${channelId}/connect-links` },
      options,
    )
  }

  /** List messages of all channels without their content, newest first. */
  searchMessages(
    query: {
      channel_id?: string | undefined
      direction?:
        | 'inbound'
        | 'outbound'
        | undefined /** One or more statuses, separated by commas: received, sending, unknown, accepted, sent, failed, delivered, read. */
      status?: string | undefined
      type?: string | undefined
      template?: string | undefined
      error_code?: number | undefined /** A phone number in any spelling, or a user id. */
      person?:
        | string
        | undefined /** The beginning of a name or of a username, without regard to accents and capitals. */
      name?: string | undefined /** The last digits of a phone number. */
      number_end?: string | undefined
      id?: string | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      since?: string | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      until?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
    } = {},
    options?: RequestOptions,
  ): List<ConsoleMessage> {
    return this.requester.list('messages', { method: 'GET', path: '/console/messages', query }, options)
  }

  /** Export messages of all channels as lines of CSV or JSON, newest first. */
  exportMessages(
    query: {
      channel_id?: string | undefined
      direction?:
        | 'inbound'
        | 'outbound'
        | undefined /** One or more statuses, separated by commas: received, sending, unknown, accepted, sent, failed, delivered, read. */
      status?: string | undefined
      type?: string | undefined
      template?: string | undefined
      error_code?: number | undefined /** A phone number in any spelling, or a user id. */
      person?:
        | string
        | undefined /** The beginning of a name or of a username, without regard to accents and capitals. */
      name?: string | undefined /** The last digits of a phone number. */
      number_end?: string | undefined
      id?: string | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      since?: string | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      until?: string | undefined
      format?: 'csv' | 'jsonl' | undefined
      content?: boolean | undefined
    } = {},
    options?: RequestOptions,
  ): Promise<Response> {
    return this.requester.stream({ method: 'GET', path: '/console/messages/export', query }, options)
  }

  /** Show a message without its content, its statuses and its deliveries. */
  showMessage(messageId: string, options?: RequestOptions): Promise<ConsoleMessageDetail> {
    return this.requester.send({ method: 'GET', path: path`/console/messages/${messageId}` }, options)
  }

  /** Show the content of a message, and record that in the audit log. */
  revealMessage(messageId: string, options?: RequestOptions): Promise<RevealedMessage> {
    return this.requester.send({ method: 'POST', path: path`/console/messages/${messageId}/reveal` }, options)
  }

  /** Show the names of the people of messages, and record that in the audit log. */
  revealNames(
    body: NamesRequest,
    options?: RequestOptions,
  ): List<{
    message_id: string
    name: string | null
  }> {
    return this.requester.list('names', { method: 'POST', path: '/console/messages/names', body }, options)
  }

  /** Download the file of a message, and record that in the audit log. */
  downloadMessageMedia(messageId: string, options?: RequestOptions): Promise<Response> {
    return this.requester.stream({ method: 'GET', path: path`/console/messages/${messageId}/media` }, options)
  }

  /** Export all data of an organization as lines of JSON. */
  exportOrganization(organizationId: string, options?: RequestOptions): Promise<Response> {
    return this.requester.stream(
      { method: 'GET', path: path`/console/organizations/${organizationId}/export` },
      options,
    )
  }

  /** Count what an erasure of a person would erase. */
  previewErasure(organizationId: string, body: ErasePerson, options?: RequestOptions): Promise<ErasurePreview> {
    return this.requester.send(
      { method: 'POST', path: path`/console/organizations/${organizationId}/erasures/preview`, body },
      options,
    )
  }

  /** Erase a person from the data of an organization. The same person while an erasure is running gets the running one. */
  erasePerson(organizationId: string, body: ErasePerson, options?: RequestOptions): Promise<ErasureResponse> {
    return this.requester.send(
      { method: 'POST', path: path`/console/organizations/${organizationId}/erasures`, body },
      options,
    )
  }

  /** List erasures, newest first. */
  listErasures(
    organizationId: string,
    query: { limit?: number | undefined; cursor?: string | undefined } = {},
    options?: RequestOptions,
  ): List<Erasure> {
    return this.requester.list(
      'erasures',
      { method: 'GET', path: path`/console/organizations/${organizationId}/erasures`, query },
      options,
    )
  }

  /** Show an erasure. */
  showErasure(organizationId: string, erasureId: string, options?: RequestOptions): Promise<ErasureResponse> {
    return this.requester.send(
      { method: 'GET', path: path`/console/organizations/${organizationId}/erasures/${erasureId}` },
      options,
    )
  }

  /** Delete an organization with all its data in seven days. */
  requestDeletion(organizationId: string, body: RequestDeletion, options?: RequestOptions): Promise<DeletionRequested> {
    return this.requester.send(
      { method: 'POST', path: path`/console/organizations/${organizationId}/deletion`, body },
      options,
    )
  }

  /** Keep an organization that waits for its deletion. */
  cancelDeletion(organizationId: string, options?: RequestOptions): Promise<DeletionCanceled> {
    return this.requester.send(
      { method: 'DELETE', path: path`/console/organizations/${organizationId}/deletion` },
      options,
    )
  }

  /** Delete a template in one language, or in all. */
  deleteTemplates(
    channelId: string,
    name: string,
    query: {
      /** The id of the template in one language. Without it, all languages are deleted. */ hsm_id?: string | undefined
    } = {},
    options?: RequestOptions,
  ): Promise<TemplatesDeleted> {
    return this.requester.send(
      { method: 'DELETE', path: path`/console/channels/${channelId}/templates/${name}`, query },
      options,
    )
  }

  /** Edit a template in one language, and submit it for review again. */
  editTemplate(channelId: string, name: string, body: EditTemplate, options?: RequestOptions): Promise<TemplateEdited> {
    return this.requester.send(
      { method: 'PATCH', path: path`/console/channels/${channelId}/templates/${name}`, body },
      options,
    )
  }

  /** Upload an example for the header of a template, in the form field `file`. */
  uploadTemplateExample(channelId: string, body: MediaUpload, options?: RequestOptions): Promise<ExampleUploaded> {
    return this.requester.send(
      { method: 'POST', path: path`/console/channels/${channelId}/template-examples`, form: body },
      options,
    )
  }

  /** Show the inspector of the organization and the requests that it received. */
  showInspector(options?: RequestOptions): Promise<InspectorResponse> {
    return this.requester.send({ method: 'GET', path: '/console/inspector' }, options)
  }

  /** Create the inspector, or show the one that there is. */
  createInspector(options?: RequestOptions): Promise<InspectorResponse> {
    return this.requester.send({ method: 'POST', path: '/console/inspector' }, options)
  }

  /** Choose what the inspector answers, or resume it. */
  updateInspector(body: UpdateInspector, options?: RequestOptions): Promise<InspectorResponse> {
    return this.requester.send({ method: 'PATCH', path: '/console/inspector', body }, options)
  }

  /** Delete the inspector and its log. */
  deleteInspector(options?: RequestOptions): Promise<InspectorDeleted> {
    return this.requester.send({ method: 'DELETE', path: '/console/inspector' }, options)
  }

  /** Queue a synthetic event for the inspector. */
  testInspector(options?: RequestOptions): Promise<Tested> {
    return this.requester.send({ method: 'POST', path: '/console/inspector/test' }, options)
  }

  /** Show the body of a request and how its signature is verified; it is recorded in the audit log. */
  revealInspected(deliveryId: string, options?: RequestOptions): Promise<InspectedDelivery> {
    return this.requester.send(
      { method: 'POST', path: path`/console/inspector/deliveries/${deliveryId}/reveal` },
      options,
    )
  }

  /** List the listeners of the organization that are not over. */
  listListeners(options?: RequestOptions): List<ListenerView> {
    return this.requester.list('listeners', { method: 'GET', path: '/console/listeners' }, options)
  }

  /** Show whether the upstream is the simulator of this hub. */
  showSandbox(options?: RequestOptions): Promise<SandboxAvailable> {
    return this.requester.send({ method: 'GET', path: '/console/sandbox' }, options)
  }

  /** Connect a channel to a simulated number. */
  connectSandboxChannel(channelId: string, options?: RequestOptions): Promise<ChannelResponse> {
    return this.requester.send({ method: 'POST', path: path`/console/sandbox/channels/${channelId}/connect` }, options)
  }

  /** Show the chat with a customer as their phone does. */
  showSandboxConversation(
    channelId: string,
    query: {
      customer?: string | undefined /** The number of messages at most. */
      limit?: number | undefined /** The id of a message of the chat: only messages before it are shown. */
      before?: string | undefined
    } = {},
    options?: RequestOptions,
  ): Promise<Conversation> {
    return this.requester.send(
      { method: 'GET', path: path`/console/sandbox/channels/${channelId}/conversation`, query },
      options,
    )
  }

  /** Write to a channel as a customer. */
  writeAsSandboxCustomer(channelId: string, body: WriteAsCustomer, options?: RequestOptions): Promise<CustomerWrote> {
    return this.requester.send(
      { method: 'POST', path: path`/console/sandbox/channels/${channelId}/messages`, body },
      options,
    )
  }

  /** Read the messages of a channel as a customer. */
  readAsSandboxCustomer(channelId: string, body: ReadAsCustomer, options?: RequestOptions): Promise<CustomerRead> {
    return this.requester.send(
      { method: 'POST', path: path`/console/sandbox/channels/${channelId}/read`, body },
      options,
    )
  }

  /** Show the faults of a simulated number. */
  showSandboxFaults(channelId: string, options?: RequestOptions): Promise<NumberFaultsResponse> {
    return this.requester.send({ method: 'GET', path: path`/console/sandbox/channels/${channelId}/faults` }, options)
  }

  /** Set all faults of a simulated number. */
  setSandboxFaults(channelId: string, body: NumberFaults, options?: RequestOptions): Promise<NumberFaultsResponse> {
    return this.requester.send(
      { method: 'PUT', path: path`/console/sandbox/channels/${channelId}/faults`, body },
      options,
    )
  }

  /** Change the quality rating of a simulated number. */
  setSandboxQuality(channelId: string, body: SetQuality, options?: RequestOptions): Promise<QualitySet> {
    return this.requester.send(
      { method: 'POST', path: path`/console/sandbox/channels/${channelId}/quality`, body },
      options,
    )
  }

  /** Revoke the token with which the hub calls the simulator for a channel. */
  revokeSandboxToken(channelId: string, options?: RequestOptions): Promise<UpstreamTokenRevoked> {
    return this.requester.send(
      { method: 'POST', path: path`/console/sandbox/channels/${channelId}/revoke-token` },
      options,
    )
  }

  /** Approve or reject a template as the upstream does. */
  reviewSandboxTemplate(
    channelId: string,
    template: string,
    body: ReviewTemplate,
    options?: RequestOptions,
  ): Promise<TemplateReviewed> {
    return this.requester.send(
      { method: 'POST', path: path`/console/sandbox/channels/${channelId}/templates/${template}/review`, body },
      options,
    )
  }

  /** Show figures of messages, deliveries and errors over a period. */
  showStatistics(
    query: { range?: '24h' | '7d' | '30d' | undefined; channel_id?: string | undefined } = {},
    options?: RequestOptions,
  ): Promise<Statistics> {
    return this.requester.send({ method: 'GET', path: '/console/statistics', query }, options)
  }

  /** Show how many messages there were on each day, by the time zone of the organization. */
  showDailyStatistics(
    query: {
      /** The moment from which messages are counted; by default the last 30 days. At most 90 days are shown. */
      since?: string | undefined
    } = {},
    options?: RequestOptions,
  ): Promise<DailyStatistics> {
    return this.requester.send({ method: 'GET', path: '/console/daily-statistics', query }, options)
  }

  /** Show figures of the deliveries of each endpoint over a period. */
  showEndpointStatistics(
    query: { range?: '24h' | '7d' | '30d' | undefined } = {},
    options?: RequestOptions,
  ): Promise<EndpointStatistics> {
    return this.requester.send({ method: 'GET', path: '/console/endpoint-statistics', query }, options)
  }

  /** List when channels received and sent last, and how many endpoints they have. */
  listChannelActivity(
    query: {
      limit?: number | undefined
      cursor?: string | undefined /** Up to 100 ids of channels, separated by commas: only those, in one page. */
      ids?: string | undefined
    } = {},
    options?: RequestOptions,
  ): List<ChannelActivity> {
    return this.requester.list('channels', { method: 'GET', path: '/console/channel-activity', query }, options)
  }

  /** List what needs attention, the most urgent first. */
  listAttention(options?: RequestOptions): List<AttentionItem> {
    return this.requester.list('attention', { method: 'GET', path: '/console/attention' }, options)
  }

  /** List the requests of API keys and channel tokens, newest first. */
  listRequests(
    organizationId: string,
    query: {
      limit?: number | undefined
      cursor?: string | undefined /** A code such as 404, or a class such as 4xx. */
      status?: string | undefined
      method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined
      route?: string | undefined
      credential_id?: string | undefined
      error_code?: string | undefined
      request_id?: string | undefined
      number?: number | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      since?: string | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      until?: string | undefined
    } = {},
    options?: RequestOptions,
  ): List<LoggedRequest> {
    return this.requester.list(
      'requests',
      { method: 'GET', path: path`/console/organizations/${organizationId}/requests`, query },
      options,
    )
  }

  /** Count failed requests by error code and route, the most frequent first. */
  listRequestErrors(
    organizationId: string,
    query: {
      /** A time in ISO 8601, in UTC and with milliseconds. */ since?: string | undefined
    } = {},
    options?: RequestOptions,
  ): List<RequestErrorGroup> {
    return this.requester.list(
      'errors',
      { method: 'GET', path: path`/console/organizations/${organizationId}/requests/errors`, query },
      options,
    )
  }

  /** List every webhook endpoint, newest first. */
  browseWebhooks(options?: RequestOptions): List<Webhook> {
    return this.requester.list('webhooks', { method: 'GET', path: '/console/webhooks' }, options)
  }

  /** Get a webhook endpoint. */
  showWebhook(webhookId: string, options?: RequestOptions): Promise<WebhookResponse> {
    return this.requester.send({ method: 'GET', path: path`/console/webhooks/${webhookId}` }, options)
  }

  /** List when an endpoint was paused, and how many events it did not get. */
  browsePauses(webhookId: string, options?: RequestOptions): List<Pause> {
    return this.requester.list('pauses', { method: 'GET', path: path`/console/webhooks/${webhookId}/pauses` }, options)
  }

  /** Show a delivery with each of its attempts, without bodies. */
  showDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<DeliveryDetail> {
    return this.requester.send(
      { method: 'GET', path: path`/console/webhooks/${webhookId}/deliveries/${deliveryId}` },
      options,
    )
  }

  /** List all kept deliveries of a webhook endpoint page by page, newest first. */
  searchDeliveries(
    webhookId: string,
    query: {
      status?: 'pending' | 'processing' | 'retry' | 'succeeded' | 'dead' | 'canceled' | undefined
      event?: string | undefined /** A code such as 404, a class such as 4xx, or `none` for no response. */
      http_status?: string | undefined
      channel_id?: string | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      since?: string | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      until?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
    } = {},
    options?: RequestOptions,
  ): List<ConsoleDelivery> {
    return this.requester.list(
      'deliveries',
      { method: 'GET', path: path`/console/webhooks/${webhookId}/deliveries`, query },
      options,
    )
  }

  /** Find a delivery by its id or by the id of its event. */
  findDelivery(deliverieId: string, options?: RequestOptions): Promise<FoundDelivery> {
    return this.requester.send({ method: 'GET', path: path`/console/deliveries/${deliverieId}` }, options)
  }

  /** Show what a delivery is about, without its body. */
  showDeliveryPayload(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<DeliveryPayload> {
    return this.requester.send(
      { method: 'GET', path: path`/console/webhooks/${webhookId}/deliveries/${deliveryId}/payload` },
      options,
    )
  }

  /** Show the body of a delivery and of its responses; it is recorded in the audit log. */
  revealDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<RevealedPayload> {
    return this.requester.send(
      { method: 'POST', path: path`/console/webhooks/${webhookId}/deliveries/${deliveryId}/reveal` },
      options,
    )
  }

  /** Count the dead and canceled deliveries that a recovery would replay. */
  countRecoverable(
    webhookId: string,
    query: {
      /** A time in ISO 8601, in UTC and with milliseconds. */
      since?: string | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      until?: string | undefined
    } = {},
    options?: RequestOptions,
  ): Promise<Recoverable> {
    return this.requester.send(
      { method: 'GET', path: path`/console/webhooks/${webhookId}/recoverable`, query },
      options,
    )
  }

  /** Show how many tests of a webhook endpoint are left in this hour. */
  showTestAllowance(webhookId: string, options?: RequestOptions): Promise<TestAllowance> {
    return this.requester.send({ method: 'GET', path: path`/console/webhooks/${webhookId}/test-allowance` }, options)
  }
}
