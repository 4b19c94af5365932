/** No name is in a subject. */
export const en = {
  subject: 'An organization of yours on Hubline will be deleted',
  text: `"{{requestedBy}}" has requested the deletion of the organization "{{organization}}" on Hubline.

It will be deleted with all its channels, keys, messages and logs on {{at}}. Until then everything works.

Any owner can keep it:

{{url}}
`,
} as const
