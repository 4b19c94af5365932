import { AppError } from '../../../kernel/errors.ts'

/** A suspended subscription refuses new channels and sends until its invoice is paid. Inbound messages still arrive. */
export function subscriptionSuspended(): AppError {
  const message = 'The subscription is suspended for an unpaid invoice. Pay it in the billing portal.'
  return new AppError('SUBSCRIPTION_SUSPENDED', message)
}
