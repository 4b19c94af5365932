import { Type } from 'typebox'
import { dataOf, strictObject, Timestamp } from '../../kernel/http/schemas.ts'

export const RequestDeletion = strictObject({
  name: Type.String({ minLength: 1, maxLength: 100, description: 'The name of the organization, letter by letter.' }),
})
export const DeletionRequested = dataOf({ deletes_at: Timestamp })
export const DeletionCanceled = dataOf({ canceled: Type.Literal(true) })
