import { isObject } from '../../kernel/json/values.ts'
import { MEDIA_TYPES } from '../../upstream/files/media.ts'
import { listObjects } from './message-updates.ts'
import { toShortTextOrNull } from './texts.ts'

type SeenMedia = { mediaId: string; mimeType: string | null; sha256: string | null }

/** The files of a change: in messages, echoes, edits of both, and the messages of a history. */
export function listMedia(field: string, value: unknown): SeenMedia[] {
  if (!isObject(value) || !['messages', 'smb_message_echoes', 'history'].includes(field)) return []
  const written = [...listObjects(value.messages), ...listObjects(value.message_echoes)]
  const edited = written.flatMap(({ edit }) => (isObject(edit) && isObject(edit.message) ? [edit.message] : []))
  return [...written, ...edited].flatMap((message) => {
    return MEDIA_TYPES.flatMap((type) => {
      const media = message[type]
      const mediaId = isObject(media) ? toShortTextOrNull(media.id) : null
      if (!isObject(media) || mediaId === null) return []
      return [{ mediaId, mimeType: toShortTextOrNull(media.mime_type), sha256: toShortTextOrNull(media.sha256) }]
    })
  })
}
