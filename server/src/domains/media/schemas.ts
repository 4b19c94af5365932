import { Type } from 'typebox'
import { dataOf, Uuid } from '../../kernel/http/schemas.ts'

export const UploadedMedia = Type.Object({
  id: Type.String({ description: "The upstream's id, for sending" }),
  mime_type: Type.String({ description: 'Decided by the bytes' }),
  size_bytes: Type.Integer(),
  sha256: Type.String({ description: 'Lower-case hex' }),
})
export const MediaUploaded = dataOf({ media: UploadedMedia })

export const MediaParams = Type.Object({
  id: Uuid,
  mediaId: Type.String({
    pattern: '^[0-9]{1,32}$',
    description: 'The id of a file at the upstream, as in the content of a message.',
  }),
})
