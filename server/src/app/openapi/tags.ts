/** Describes the operations of each tag. */
export const TAGS: Record<string, string> = {
  'API keys': 'Keys of an organization, with the scopes that their programs need.',
  'Audit log': 'Who changed what, and when.',
  Billing: 'The plan of an organization, its add-ons, its usage and its costs.',
  Channels: 'Business numbers: create a channel, watch it, change it, archive it.',
  Connecting: 'The ways in which a number is connected to a channel.',
  Console: 'What the dashboard calls for a person.',
  Events: 'The payloads that webhook endpoints receive.',
  Facade: "Calls that the hub passes to the upstream's API with the channel's credential.",
  Graph: 'The calls of existing Cloud API clients, with answers and errors as Meta has them.',
  Listeners: 'Deliveries as a stream, for a program without a public address.',
  Media: 'Files to send, and files that a channel received.',
  Messages: 'Sending messages once, and the log of what was sent and received.',
  Numbers: 'The block list, the QR codes and the username of a number.',
  Probes: 'The state of a process, for load balancers and monitors.',
  Templates: "The message templates of a channel's account.",
  Webhooks: 'Endpoints that receive events, their deliveries and attempts, and replays.',
}
