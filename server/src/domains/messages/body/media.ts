import { type TProperties, Type } from 'typebox'
import { exactlyOneOf, strictObject } from '../../../kernel/http/schemas.ts'
import { PATTERNS } from '../../../kernel/http/validation/patterns.ts'

/** Letters outside ASCII are left to the upstream; white space is refused. */
export const Link = Type.String({
  format: 'iri',
  pattern: PATTERNS.not_web_link,
  maxLength: 2048,
  description: 'An absolute http or https URL.',
})

const source = {
  id: Type.Optional(Type.String({ pattern: PATTERNS.not_file_id, description: 'The id of an uploaded file.' })),
  link: Type.Optional(Link),
}
const filename = Type.Optional(Type.String())
const caption = Type.Optional(Type.String({ maxLength: 1024 }))
const oneSource = { ...exactlyOneOf('id', 'link'), description: 'Either `id`, from an upload, or `link`.' }

/** A file inside an interactive or template object, where members that the hub does not know pass. */
export const File = Type.Object(source, oneSource)
export const NamedFile = Type.Object({ ...source, filename }, oneSource)

export const Image = strictFile({ caption })
export const Video = strictFile({ caption })
export const Audio = strictFile({ voice: Type.Optional(Type.Boolean()) })
export const Document = strictFile({ caption, filename })
export const Sticker = strictFile({})

function strictFile<P extends TProperties>(members: P) {
  return strictObject({ ...source, ...members }, oneSource)
}
