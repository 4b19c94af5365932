/** The findings of the diagnostics by reason, with the remedy of each that fails. */
export const en = {
  found: {
    token_accepted: 'The upstream accepts the credential.',
    token_refused: 'The upstream no longer accepts the credential.',
    token_of_another_app: 'The credential was issued to another app.',
    hub_app_refused: 'The upstream refuses the app of this hub.',
    token_unreadable: 'The stored credential cannot be decrypted.',
    never_connected: 'The channel was never connected.',
    no_number: 'There is no number yet.',
    no_account: 'There is no account yet.',
    no_credential: 'It cannot be checked without a credential.',
    number_connected: 'The number is registered and connected.',
    number_not_connected: 'The number is {{status}} at the upstream.',
    number_restricted: 'The number is {{status}} at the upstream.',
    number_of_another_channel: 'The number is connected to another channel now.',
    subscribed: "The hub's app is subscribed to the account's callbacks.",
    not_subscribed: "The hub is not subscribed to the account's callbacks.",
    callbacks_to_cell: "The number's messages go to this cell, {{cell}}, at {{url}}.",
    callbacks_to_app:
      "The number's messages go to the address of the hub's app, {{url}}, not directly to this cell, {{cell}}.",
    callbacks_elsewhere: "The number's messages go to {{url}}, not to this cell, {{cell}}.",
    no_callback: "No callback of the upstream has arrived for this channel's account yet.",
    callback_verified: 'The last callback of the upstream, at {{at}}, was verified.',
    callbacks_refused: 'Callbacks for this account had a wrong signature: {{refused}}, the last at {{at}}.',
    endpoints_active: 'Active webhook endpoints that receive this channel: {{active}}. Listeners: {{listeners}}.',
    endpoints_paused:
      'Paused webhook endpoints of this channel: {{names}}. Active: {{active}}. Listeners: {{listeners}}.',
    endpoints_all_paused:
      'Paused webhook endpoints of this channel: {{names}}. Active: {{active}}. Listeners: {{listeners}}.',
    no_endpoint: 'No active webhook endpoint receives this channel.',
    upstream_refused: 'The upstream refused the request for this channel.',
    upstream_unavailable: 'The upstream did not respond.',
  },
  remedies: {
    token_refused: 'Create a new connect link and let the owner of the number use it.',
    token_of_another_app: 'Create a new connect link and let the owner of the number use it.',
    hub_app_refused: 'Ask the operator of the hub to check UPSTREAM_APP_ID and UPSTREAM_APP_SECRET.',
    token_unreadable:
      'Give the hub the sealing key that encrypted it. If that is lost: Create a new connect link and let the owner of the number use it.',
    never_connected: 'Open its connect link, or create a new one.',
    number_not_connected: 'Create a new connect link and let the owner of the number use it.',
    number_restricted: "See the number's page in WhatsApp Manager for what the upstream requires.",
    number_of_another_channel:
      'Use the channel that has the number, or disconnect the number there and connect this channel again.',
    not_subscribed: 'The hub subscribes again by itself within the hour; connect the channel again to do it at once.',
    callbacks_to_app:
      'The hub changes the address by itself within the hour; connect the channel again to do it at once.',
    callbacks_elsewhere: 'Use the channel of the number there, or delete it there and connect this channel again.',
    callbacks_refused:
      "Ask the operator of the hub whether UPSTREAM_APP_SECRET is the secret of its app at Meta. Other clients' requests also count.",
    endpoints_all_paused: 'Create a webhook endpoint, activate a paused one, or add this channel to one.',
    no_endpoint: 'Create a webhook endpoint, activate a paused one, or add this channel to one.',
    upstream_refused: 'Create a new connect link and let the owner of the number use it.',
    upstream_unavailable: 'No fault is known. Run the diagnostics again in a few minutes.',
  },
} as const
