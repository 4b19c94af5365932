/** The pages with which a person sets a new password. */
export const en = {
  forgotTitle: 'Forgot your password?',
  forgotText: 'Enter the e-mail of your account. You get a link with which you set a new password.',
  noMail: 'This installation sends no mail. Ask the person who operates it to run this command with your e-mail:',
  email: 'E-mail',
  send: 'Send the link',
  sent: [
    'Check your e-mail',
    'If this e-mail has an account, a link is on its way. It works once, for one hour. Look into the spam folder too.',
  ],
  invalidEmail: 'Enter a whole e-mail address, such as ana@example.com.',
  resetTitle: 'Set a new password',
  newPassword: 'New password',
  length: 'At least {{min}} characters',
  repeat: 'New password again',
  save: 'Save the password',
  common: 'This password is among the first that attackers try. Choose another one, such as a sentence.',
  wrongLength: 'Choose a password of {{min}} to {{max}} characters.',
  mismatch: 'The two passwords differ. Type them again.',
  done: [
    'Your password was changed',
    'You are signed out everywhere. Sign in with the new password and, if you have set one up, your second factor.',
  ],
  signIn: 'Sign in',
  requestAnother: 'Request another link',
  errors: {
    NOT_FOUND: ['Nothing here', 'There is no such link. Check that you opened the whole address.'],
    CONNECT_LINK_USED: [
      'This link was used already',
      'It works once. If it was not you who used it, request another now.',
    ],
    CONNECT_LINK_EXPIRED: [
      'This link no longer works',
      'It is valid for one hour, and only until a newer one is requested or the password is changed.',
    ],
  },
} as const
