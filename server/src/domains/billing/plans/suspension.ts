import { AppError } from '../../../kernel/errors.ts'

/** A suspended subscription refuses new channels and sends until its invoice is paid. Inbound messages still arrive. */
export function subscriptionSuspended(): AppError {
  return new AppError('SUBSCRIPTION_SUSPENDED', 'subscription_suspended')
}
