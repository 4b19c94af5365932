export const en = {
  title: 'Connect an existing client',
  text: 'Software written for Meta’s Cloud API works with this channel unchanged. Configure this address in place of https://graph.facebook.com, these ids, and the channel token.',
  address: 'Address',
  copyAddress: 'Copy the address',
  tokenLink: 'Go to the channel token',
  receive:
    'To receive messages, create a webhook endpoint for its address in the mode upstream_raw. The secret of the endpoint replaces the app secret.',
  notConnected: 'The ids are known once a number is connected. Until then this address does not serve clients.',
  scopes: 'What each scope of the token allows',
  byName: 'Only if you select it.',
} as const
