/** The message to the owner of a number with a connect link, in the owner's language. */
export const en = {
  text: 'Hello! To connect the WhatsApp of {{name}} to our system, open the link below on a computer or a phone. Have your Facebook login and the phone of the number at hand. The link is valid until {{day}}, {{clock}}, and works once.',
} as const
