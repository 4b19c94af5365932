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
  return new AppError('INVALID_MEDIA', 'example_type_not_accepted', {
    parameters: { types: allowed.join(', ') },
    details: { allowed },
  })
}

export function exampleTooLarge(mimeType: string, bytesMax: number): AppError {
  return new AppError('MEDIA_TOO_LARGE', 'file_too_large', {
    parameters: { type: mimeType, maximum: bytesMax },
    details: { mime_type: mimeType, bytes_max: bytesMax },
  })
}
