/** The page on which a person finishes a sign-up. */
export const en = {
  title: 'Finish creating your account',
  intro: 'Your account and the organization {{organization}} are created when you enter the password.',
  email: 'E-mail',
  password: 'Password',
  passwordHint: 'The one that you chose for this account',
  create: 'Create the account',
  wrongPassword: 'This is not the password that was chosen. If you did not sign up yourself, close this page.',
  done: ['Your account is ready', 'Your e-mail is verified, and you are signed in.'],
  toDashboard: 'Open the dashboard',
  signUpAgain: 'Sign up again',
  signIn: 'Sign in',
  errors: {
    NOT_FOUND: [
      'This link no longer works',
      'It was used, has expired, or the address is not complete. If you have an account, sign in.',
    ],
  },
} as const
