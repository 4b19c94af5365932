/** No name is in a subject. */
export const en = {
  subject: 'You are invited to join an organization on Hubline',
  text: `"{{invitedBy}}" invites you to join the organization "{{organization}}" on Hubline.

To join, open this link. It works once, for seven days:

{{url}}

If you do not expect this invitation, ignore this e-mail.
`,
} as const
