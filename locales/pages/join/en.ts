/** The page of an invitation. */
export const en = {
  title: 'Accept the invitation',
  intro: 'You are invited to join {{organization}} with the role {{role}}.',
  email: 'E-mail',
  name: 'Your name',
  nameHint: 'An account that you have already keeps its name',
  password: 'Password',
  passwordHint:
    'If you have an account with this e-mail, its password. If not, choose one of at least {{min}} characters.',
  code: 'Code of your authenticator app',
  codeHint: 'Or one of your recovery codes',
  join: 'Join',
  problems: {
    nameRequired: 'Enter your name, of up to 100 characters, and the password again.',
    common: 'This password is among the first that attackers try. Choose another one, such as a sentence.',
    wrongLength: 'The password has {{min}} to {{max}} characters. Type it again.',
    wrongPassword: 'This is not the password of your account. Type it again.',
    codeRequired: 'Your account has a second factor. Enter the password again, and a code.',
    wrongCode: 'The code is wrong. Enter the password again, and the current code.',
  },
  forgot: 'Forgot your password?',
  joined: ['You have joined {{organization}}', 'You are signed in.'],
  toDashboard: 'Open the dashboard',
  errors: {
    NOT_FOUND: [
      'This invitation no longer works',
      'It was used or revoked, has expired, or the address is not complete. Ask for a new one.',
    ],
  },
} as const
