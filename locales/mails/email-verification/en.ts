export const en = {
  subject: 'Verify your e-mail for Hubline',
  text: `To verify the e-mail of your Hubline account, enter this code in the dashboard:

{{code}}

Or open this link and enter your password:

{{url}}

Both work once, for 24 hours.

If you did not ask for this, do not share the code. If someone else created an account with your address, set a new password for it. The account is then yours:

{{forgotUrl}}
`,
} as const
