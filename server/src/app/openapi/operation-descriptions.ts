/** Describes what an operation does beyond its summary if its route does not say it. The keys are `operationId`. */
export const OPERATION_DESCRIPTIONS: Record<string, string> = {
  listApiKeys: 'The list includes revoked and expired keys. A secret is shown only when its key is created.',
  createApiKey:
    'The secret is in the answer and never again. A key cannot have more scopes than the credential that creates it.',
  revokeApiKey: 'Requests with the key are refused from then on, in every process. A revoked key cannot be restored.',
  listAuditLog:
    'Each entry names the actor, the action and what it changed. Give `next_cursor` as `cursor` for the next page.',
  getSubscription: 'The answer has the plan, its status, each quota with what is used of it, and the add-ons.',
  getUsage: 'The answer counts the channels, endpoints, messages and deliveries of the current period.',
  getCosts:
    'Figures are estimates from the rate cards of the operator. Costs are null where the operator has given none.',
  getReportedCosts:
    'The figures come from the upstream at the time of the request. They are of the whole account of the channel.',
  previewAddons:
    'Nothing is charged. Give the `proration_date` of the answer to the change, so that the price stays the same.',
  listChannels: 'The list has every channel of the organization that is not archived.',
  createChannel:
    'The channel token is in the answer and never again. The channel sends when a number is connected to it.',
  getChannel: 'The answer has the state of the connection and the number of the channel.',
  updateChannel: 'Only the members of the body change.',
  deleteChannel:
    'The token and the connect links of the channel stop working at once. With `deregister` the number is also signed off upstream.',
  createConnectLink: 'Give the link to the person who has the number. It connects one number once, and it expires.',
  regenerateChannelToken: 'The old token is refused from then on. The new one is in the answer and never again.',
  revokeChannelToken: 'The token is refused from then on. The channel keeps its number and its log.',
  diagnoseChannel: 'Each check has a status, a message and, if something is wrong, a remedy.',
  uploadMedia: 'The type is decided by the bytes of the file. Give the `id` of the answer in a message.',
  downloadMedia: 'The body is the file itself. Give `Range` for a part of it.',
  listMessages: 'Give `next_cursor` as `cursor` for the next page. The filters combine.',
  getMessage: 'The answer is the entry of the message in the log, with its status and its content.',
  listTemplates:
    'The list comes from the upstream at the time of the request. Members that the hub does not know are passed on.',
  createTemplate: 'The upstream reviews the template. An event says when it is approved or rejected.',
  listBlocked: 'Give `next_cursor` as `cursor` for the next page.',
  blockPeople:
    'Only people who wrote to the number in the last 24 hours can be blocked. The answer lists those whom the upstream refused.',
  unblockPeople: 'The answer lists those whom the upstream refused.',
  listQrCodes: 'Each code has its text and the link that it stands for.',
  createQrCode: 'The text is filled in for the person who scans the code. Give `image` for a picture of the code.',
  updateQrCode: 'The printed code stays valid and opens a chat with the new text.',
  deleteQrCode: 'The printed code no longer opens a chat.',
  getUsername: 'The answer has the username and what the upstream says of its state.',
  setUsername: 'The upstream decides whether the number gets the username.',
  deleteUsername: 'The number has no username from then on.',
  showConnectLink: 'The answer is what the page of the link shows. No credential is needed: the link is one.',
  downloadConnectLogo: 'The body is the image itself. A 404 means that the organization has no logo.',
  useConnectLink: 'A link connects one number once. No credential is needed: the link is one.',
  connectChannel:
    'The token needs the permissions to manage and to message for the account. The hub checks it before it stores it.',
  createListener: 'A listener has no URL: a client attaches to its stream. It expires without a connection.',
  streamListener:
    'Each line is a delivery, a heartbeat or the end of the stream. What is not acknowledged is sent again to the next stream.',
  acknowledgeDeliveries: 'Acknowledging a delivery twice does no harm.',
  deleteListener: 'Its stream ends with a line that says so.',
  listWebhooks: 'The list includes paused and disabled endpoints. Secrets are not shown.',
  createWebhook: 'The hub checks that the URL leads to a public address. Events from then on are delivered to it.',
  getWebhook: 'The answer has the state of the endpoint, but not its secret.',
  updateWebhook: 'Only the members of the body change. Reactivating an endpoint does not replay what it missed.',
  deleteWebhook: 'Its open deliveries are not sent any more.',
  listWebhookPauses:
    'Newest first, up to 100. Events of a pause make no delivery, not even after it. A pause counts the events that the endpoint subscribes to when it ends.',
  rotateWebhookSecret: 'With an overlap, deliveries carry a signature of each secret until it ends.',
  listDeliveries: 'A delivery is final when it succeeded, is dead or was canceled.',
  getDelivery:
    'Each attempt has the status, the headers and the beginning of the body that the receiver answered with.',
  replayDelivery: 'The replay is a new delivery of the same event. The original stays as it is.',
  retryDelivery: 'The attempt counts like any other. A delivery that is not waiting for a retry is 404.',
  testWebhook: 'The delivery is in the log like any other, and its event has the kind webhook.test.',
  recoverDeliveries:
    'Up to 10,000 deliveries of the span are replayed, each of them once. The operation can be called once a minute.',
  health: 'A process that does not answer should be started again.',
  ready: 'A process that answers 503 should get no requests for the time being.',
  readProfileUpstream: 'Give the fields that you want in `fields`.',
  updateProfileUpstream: 'Only the members of the body change.',
  listTemplatesUpstream: 'Links to further pages lead to the hub.',
  createTemplateUpstream: 'The upstream reviews the template. An event says when it is approved or rejected.',
  deleteTemplatesUpstream: 'Without `hsm_id` the template is deleted in every language.',
  downloadMediaUpstream: 'The body is the file itself.',
  postMessageUpstream:
    'Such a send has no idempotency key: after a lost answer, look into the log before you send again.',
  uploadMediaUpstream: 'Give the `id` of the answer in a message.',
  endCallUpstream: 'The hub forwards `reject` and `terminate` only.',
  createHandleUpstream: 'Give the handle of the answer as `example.header_handle` of a template.',
}
