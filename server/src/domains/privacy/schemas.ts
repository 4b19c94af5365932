import { type Static, Type } from 'typebox'

/** One line of an export. The last one has the type `end` and the counts of the others. */
export const ExportedLine = Type.Object({
  type: Type.String(),
  data: Type.Object({}, { additionalProperties: true }),
})
export type ExportedLine = Static<typeof ExportedLine>
