import { type Static, Type } from 'typebox'
import { dataOf, oneOf } from '../../../kernel/http/schemas.ts'

/** A page needs this before anyone is signed in. It reveals nothing about an organization. */
export const Setup = dataOf({
  sign_up: oneOf(['open', 'closed']),
  first_run: Type.Boolean({ description: 'True if there is no account yet.' }),
  sandbox: Type.Boolean({ description: 'True if a simulator stands in for the upstream.' }),
  two_factor: Type.Literal('optional'),
  password_reset: Type.Boolean({ description: 'True if the hub can send a link for a new password by mail.' }),
})
export type Setup = Static<typeof Setup>['data']
