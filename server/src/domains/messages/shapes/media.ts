import { type TProperties, Type } from 'typebox'
import type { Issue } from '../../../kernel/errors.ts'
import { strictObject } from '../../../kernel/http/schemas.ts'
import { exactlyOneOf, open, ruled } from './composites.ts'
import { issueAt, matching, type Shape, text } from './shape.ts'

const LINK_LENGTH_MAX = 2048
const HTTP = '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$'

const mediaId = matching('^[A-Za-z0-9_]{1,200}$')
const address = matching(HTTP)

/** Where the upstream or a phone fetches from. Letters outside ASCII are left to them, white space is refused. */
export const link: Shape<string> = {
  schema: Type.Unsafe(
    Type.String({ pattern: HTTP, maxLength: LINK_LENGTH_MAX, description: 'An absolute http or https URL' }),
  ),
  refuse(value, path) {
    const issues = [...address.refuse(value, path), ...text({ max: LINK_LENGTH_MAX }).refuse(value, path)].slice(0, 1)
    if (issues.length > 0 || URL.canParse(String(value))) return issues
    return issueAt(path, 'must be an absolute http or https URL')
  },
}

const oneSource = exactlyOneOf('id', 'link')

/** A file inside an interactive or template object, where members that we do not know pass. */
export const file = ruled(open({}, { id: mediaId, link }), oneSource)
export const namedFile = ruled(open({}, { id: mediaId, link, filename: text({ min: 0 }) }), oneSource)

const caption = Type.Optional(Type.String({ maxLength: 1024 }))

export const Image = fileOf({ caption })
export const Video = fileOf({ caption })
export const Audio = fileOf({ voice: Type.Optional(Type.Boolean()) })
export const Document = fileOf({ caption, filename: Type.Optional(Type.String()) })
export const Sticker = fileOf({})

/** What the schema of a file cannot say: that it has one source, and that a link can be followed. */
export function refuseFile(value: { id?: string; link?: string }, path: string): Issue[] {
  const issues = value.link === undefined ? [] : link.refuse(value.link, `${path}/link`)
  return [...oneSource(value, path), ...issues]
}

function fileOf<P extends TProperties>(others: P) {
  const source = { id: Type.Optional(mediaId.schema), link: Type.Optional(link.schema) }
  return strictObject({ ...source, ...others }, { description: 'Either `id`, from an upload, or `link`.' })
}
