import { Type } from 'typebox'
import { dataOf } from '../../kernel/http/schemas.ts'

export const UploadedMedia = Type.Object({
  id: Type.String({ description: "The upstream's id, for sending" }),
  mime_type: Type.String({ description: 'Decided by the bytes' }),
  size_bytes: Type.Integer(),
  sha256: Type.String({ description: 'Lower-case hex' }),
})
export const MediaUploaded = dataOf({ media: UploadedMedia })
