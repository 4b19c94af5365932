export const en = {
  link: 'Connect link',
  linkText:
    'A link works once. The person who opens it does not need an account here, only the number and a Facebook login.',
  linkAgain: 'A link can reconnect this channel. It must be the same number, unless that number was disconnected.',
  linkOnce: 'A link is shown only when it is created.',
  create: 'Create a link',
  createAgain: 'Create a new link',
  endsOlder: 'Earlier links of this channel stop working.',
  simulated: 'Simulated number',
  simulatedText: 'This hub runs with a simulator. Connect the channel to a simulated number now, without a link.',
  simulate: 'Connect a simulated number',
  own: 'Connect with your own token',
  ownText:
    'For a number whose access token you already have, for example from a system user. No page has to be opened.',
  token: 'Access token',
  tokenHint:
    'It needs whatsapp_business_management and whatsapp_business_messaging. It is stored encrypted and never shown.',
  waba: 'waba_id',
  wabaHint: 'The WhatsApp Business account, digits only.',
  numberId: 'phone_number_id',
  numberIdHint: 'The id of the number in that account, digits only.',
  coexistence: 'The number stays in the WhatsApp Business app',
  coexistenceHint: 'The number is then not registered again and needs no PIN.',
  pin: 'PIN',
  pinHint:
    'Six digits. If the number has two-step verification, its PIN. Otherwise, the PIN that it will get. It is not stored.',
  pinNeeded: 'This number needs its PIN to be registered.',
  connect: 'Connect',
  connected: 'Number connected',
} as const
