export const en = {
  title: 'Listeners',
  text: 'Terminals that receive events now',
  allChannels: 'All channels',
  channels_one: '{{count}} channel',
  channels_other: '{{count}} channels',
  unacknowledged_one: '{{count}} not received yet',
  unacknowledged_other: '{{count}} not received yet',
  since: 'since',
  listening_one: 'terminal listening',
  listening_other: 'terminals listening',
  alsoListening_one: '{{count}} terminal receives these events too, with hubline listen.',
  alsoListening_other: '{{count}} terminals receive these events too, with hubline listen.',
} as const
