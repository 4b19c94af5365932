import { AppError } from '../../../kernel/errors.ts'

const MB = 2 ** 20

/** The types of example files for template headers, with the size limit of each. */
export const EXAMPLE_BYTES_MAX: Record<string, number> = {
  'image/jpeg': 5 * MB,
  'image/png': 5 * MB,
  'video/mp4': 16 * MB,
  'application/pdf': 100 * MB,
}

export function invalidExample(): AppError {
  const allowed = Object.keys(EXAMPLE_BYTES_MAX)
  const message = `The file must be one of ${allowed.join(', ')}. Its bytes decide, not its name or declared type.`
  return new AppError('INVALID_MEDIA', message, { details: { allowed } })
}

export function exampleTooLarge(mimeType: string, bytesMax: number): AppError {
  const message = `A file of type ${mimeType} may have ${bytesMax} bytes at most.`
  return new AppError('MEDIA_TOO_LARGE', message, { details: { mime_type: mimeType, bytes_max: bytesMax } })
}
