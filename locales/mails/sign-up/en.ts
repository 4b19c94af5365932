/** No text has what the person entered: it may be an attacker who writes to any address. */
export const en = {
  finish: {
    subject: 'Finish creating your Hubline account',
    text: `Someone, probably you, is creating a Hubline account with this address.

To finish, open this link and enter the password that you chose. It works once, for 24 hours:

{{url}}

If it was not you, ignore this e-mail: without you, no account is created.
`,
  },
  known: {
    subject: 'You have a Hubline account already',
    text: `Someone, probably you, tried to create a Hubline account with this address. It has one already, and nothing was changed.

Sign in here:

{{signInUrl}}

If you forgot the password, set a new one here:

{{forgotUrl}}

If it was not you, ignore this e-mail.
`,
  },
} as const
