/** The errors of the upstream that senders meet most, by its code: what it means, and what helps. */
export const en = {
  4: {
    title: 'The app makes too many calls',
    remedy: 'The limit counts all channels of the Meta app. Send slower and try again later.',
  },
  10: {
    title: 'A permission is missing',
    remedy: 'The token may not do this. Connect the channel again and grant every permission.',
  },
  33: {
    title: 'The number no longer exists',
    remedy: 'It was deleted from its WhatsApp account. Connect the channel to another number.',
  },
  100: { title: 'A value is not valid', remedy: 'Check the fields of the request against the details of the error.' },
  190: {
    title: 'The access token is no longer valid',
    remedy: 'Connect the channel again; messages wait for nothing else.',
  },
  368: {
    title: 'Blocked for a policy violation',
    remedy: 'Read the notice in the account at Meta and ask for a review there.',
  },
  80007: {
    title: 'The account makes too many calls',
    remedy: 'All numbers of the account share this limit. Send slower and try again later.',
  },
  130403: { title: 'The business blocked this person', remedy: 'Unblock the person before writing again.' },
  130429: {
    title: 'Too many messages per second',
    remedy: 'The number has reached its throughput. Spread the sends over more time.',
  },
  130472: {
    title: 'Held back by an experiment of Meta',
    remedy: 'The person is in a test group without marketing messages. Do not repeat it.',
  },
  130497: {
    title: 'Not allowed in this country',
    remedy: 'The account may not write to people there. Check its restrictions at Meta.',
  },
  131000: {
    title: 'Meta failed without a reason',
    remedy: 'Send it again in a few minutes. If it keeps failing, check the status page of Meta.',
  },
  131005: { title: 'Access was denied', remedy: 'A permission was withdrawn. Connect the channel again.' },
  131008: { title: 'A field is missing', remedy: 'Add the field that the details name.' },
  131009: { title: 'A field has a wrong value', remedy: 'Correct the field that the details name.' },
  131016: { title: 'Meta is not available', remedy: 'Send it again in a few minutes.' },
  131021: { title: 'The number wrote to itself', remedy: 'Choose a recipient other than the number of the channel.' },
  131026: {
    title: 'Message undeliverable',
    remedy:
      'The person has no WhatsApp, an old version of it, or has not accepted its terms. Try another way to reach them.',
  },
  131030: {
    title: 'Recipient is not on the test list',
    remedy: 'A test number writes only to numbers that were added at Meta.',
  },
  131031: {
    title: 'The account is locked',
    remedy: 'Meta locked it for a violation or for a wrong PIN. Resolve it in the account at Meta.',
  },
  131037: {
    title: 'The display name is not approved',
    remedy: 'Submit a display name for the number at Meta and wait for its approval.',
  },
  131042: {
    title: 'A problem with the payment method',
    remedy: 'Check card, credit and currency of the WhatsApp account at Meta.',
  },
  131047: {
    title: 'Outside the 24 h window',
    remedy: 'More than 24 hours have passed since the person last wrote. Send a template.',
  },
  131048: {
    title: 'Limited for spam',
    remedy: 'Too many people reported or blocked the number. Send less, and only to those who asked for it.',
  },
  131049: {
    title: 'Limited by Meta for this person',
    remedy: 'The person gets many marketing messages. Wait at least 24 hours before another one.',
  },
  131050: {
    title: 'The person stopped marketing messages',
    remedy: 'Respect it: do not send marketing templates to this person.',
  },
  131051: {
    title: 'This type of message is not supported',
    remedy: 'Send a text, a file, a template or another type of the documentation.',
  },
  131052: { title: 'The file of the person could not be loaded', remedy: 'Ask the person to send it again.' },
  131053: { title: 'The file could not be loaded', remedy: 'Check its type, its size and that its address is public.' },
  131056: {
    title: 'Too many messages to one person',
    remedy: 'Wait some seconds before the next message to the same person.',
  },
  131057: {
    title: 'The account is being maintained',
    remedy: 'Try again in a minute; the throughput of the number may be changing.',
  },
  131063: {
    title: 'Marketing templates are turned off',
    remedy: 'Turn them on for the account at Meta, or send another category.',
  },
  132000: { title: 'Wrong number of parameters', remedy: 'Give the template as many parameters as it has variables.' },
  132001: { title: 'Template does not exist', remedy: 'Check its name and its language, and that it is approved.' },
  132005: { title: 'The text of the template is too long', remedy: 'Shorten the values of its variables.' },
  132007: {
    title: 'The template breaks a rule of format',
    remedy: 'Look for line breaks, tabs or many spaces in the values.',
  },
  132012: {
    title: 'A parameter has the wrong format',
    remedy: 'Compare types and names of the parameters with the template.',
  },
  132015: {
    title: 'The template is paused',
    remedy: 'Its quality fell. Wait for the end of the pause, and improve it.',
  },
  132016: { title: 'The template is disabled', remedy: 'It was paused too often. Create another one.' },
  133010: { title: 'The number is not registered', remedy: 'Run the diagnostics of the channel, or connect it again.' },
  135000: {
    title: 'Meta did not understand the request',
    remedy: 'Compare the message with the documentation of its type.',
  },
} as const
