export const en = {
  subject: 'Set a new password for Hubline',
  text: `Someone, probably you, asked for a new password for the Hubline account of this address.

To set it, open this link. It works once, for one hour:

{{url}}

If you did not ask for it, ignore this e-mail: your password stays as it is.
`,
} as const
