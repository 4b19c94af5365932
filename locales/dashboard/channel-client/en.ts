export const en = {
  title: 'Connect an existing client',
  text: 'Software that was written for Meta’s Cloud API works with this channel as it is. Give it this address in place of https://graph.facebook.com, these ids, and the channel token.',
  address: 'Address',
  copyAddress: 'Copy the address',
  tokenLink: 'Go to the channel token',
  receive:
    'So that it receives messages, create a webhook endpoint for its address in the mode upstream_raw. The secret of the endpoint takes the place of the app secret.',
  notConnected: 'The ids are known once a number is connected. Until then the address answers no client.',
  scopes: 'What each scope of the token allows',
  byName: 'Only if you choose it.',
} as const
