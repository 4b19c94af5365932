/** The pages of a change of plan, and the one to which the payment provider returns. */
export const en = {
  planTitle: 'Change your plan',
  from: 'Your plan now',
  to: 'Your new plan',
  addons: 'Additional connections, which you keep',
  dueNow: 'Charged now',
  creditedNow: 'Credited now',
  prorated:
    'In proportion to what is left of your billing period. From the next one on you pay the whole price of the new plan.',
  confirm: 'Change the plan',
  confirmAndPay: 'Change the plan and pay {{amount}}',
  done: ['Your plan was changed', 'It is in effect now.'],
  unpaid: [
    'The payment did not go through',
    'Your plan stays as it was until the invoice is paid. Pay it below, or change your card in the billing portal.',
  ],
  pay: 'Pay the invoice',
  back: [
    'You are back from the payment provider',
    'What you paid, changed or canceled there takes effect as soon as the provider confirms it, usually within seconds.',
  ],
  toUsage: 'Back to usage and billing',
  reload: 'Look at the change again',
  errors: {
    NOT_FOUND: ['Nothing here', 'There is no such link. Check the address, or ask for a new link.'],
    CONNECT_LINK_USED: ['This link no longer works', 'It works once and for a short time. Ask for a new one.'],
    CHECKOUT_NOT_ALLOWED: ['This change is not possible now', 'The reason is below.'],
    BILLING_OFF: ['Nothing to pay', 'Billing is off on this installation.'],
    INVALID_REQUEST: ['The amount has to be worked out again', 'It was shown to you too long ago.'],
    OPERATION_IN_PROGRESS: ['Just a moment', 'Another change is in progress. Try again.'],
    UPSTREAM_UNAVAILABLE: ['The payment provider does not respond', 'Wait a moment and try again.'],
  },
} as const
