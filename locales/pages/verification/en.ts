/** The page that a link for the verification of an e-mail leads to. */
export const en = {
  title: 'Verify your e-mail',
  intro: 'Enter the password of your account to confirm that this address is yours.',
  email: 'E-mail',
  password: 'Password',
  verify: 'Verify the e-mail',
  wrongPassword: 'This is not the password of the account. Type it again.',
  notMine: 'You did not create this account? Set a new password, and it is yours',
  done: ['Your e-mail is verified', 'You can now set up two-factor sign-in in your account.'],
  toDashboard: 'Open the dashboard',
  errors: {
    NOT_FOUND: [
      'This link no longer works',
      'It was used, has expired, a newer one replaced it, or the address is not complete. Request a new one in your account.',
    ],
  },
} as const
