import { Type } from 'typebox'
import { dataOf, Uuid } from '../../kernel/http/schemas.ts'
import { PATTERNS } from '../../kernel/http/validation/patterns.ts'

export const UploadedMedia = Type.Object({
  id: Type.String({ description: "The upstream's id of the file, which a send names." }),
  mime_type: Type.String({ description: 'The type of the file, decided by its bytes.' }),
  size_bytes: Type.Integer(),
  sha256: Type.String({ description: 'The SHA-256 of the file in lower-case hex.' }),
})
export const MediaUploaded = dataOf({ media: UploadedMedia })

export const MediaParams = Type.Object({
  id: Uuid,
  mediaId: Type.String({
    pattern: PATTERNS.not_upstream_id,
    description: 'The id of a file at the upstream, as in the content of a message.',
  }),
})
