/** No name is in a subject. */
export const en = {
  endpoint_paused: {
    subject: 'A webhook endpoint was paused',
    text: `The webhook endpoint "{{name}}" of the organization "{{organization}}" failed 20 times in a row and was paused on {{at}}.

New events are not sent to it. They stay in the message log. When the receiver works again, resume the endpoint here:

{{url}}
`,
  },
  channel_degraded: {
    subject: 'A channel works only in part',
    text: `The channel "{{name}}" of the organization "{{organization}}" has worked only in part since {{at}}.

The diagnostics say what is wrong and what to do:

{{url}}
`,
  },
  channel_disconnected: {
    subject: 'A channel was disconnected',
    text: `The channel "{{name}}" of the organization "{{organization}}" was disconnected on {{at}}.

Messages are neither sent nor received until it is connected again. The diagnostics say why:

{{url}}
`,
  },
  footer: `You get at most one such e-mail an hour about the same endpoint or channel. You can turn these e-mails off in your account:

{{accountUrl}}
`,
} as const
