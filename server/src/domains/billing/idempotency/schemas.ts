import { Type } from 'typebox'

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.String({
    minLength: 8,
    maxLength: 200,
    description: 'Your own name of this request. The same key and body are done once.',
  }),
})

export const IDEMPOTENCY_ERRORS = ['IDEMPOTENCY_KEY_REUSED', 'OPERATION_IN_PROGRESS'] as const
