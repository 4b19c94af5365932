import { Type } from 'typebox'
import { dataOf } from '../../../kernel/http/schemas.ts'

export const PortalResponse = dataOf({
  portal_url: Type.String({ format: 'uri', description: 'The address of the page, which works once.' }),
})
