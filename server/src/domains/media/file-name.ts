const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** The extensions of the media types that messages carry. */
const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'text/plain': 'txt',
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  [`${OFFICE}.wordprocessingml.document`]: 'docx',
  [`${OFFICE}.spreadsheetml.sheet`]: 'xlsx',
  [`${OFFICE}.presentationml.presentation`]: 'pptx',
}

/** The name of a downloaded file: its media id and the extension of its type. It needs no quotes in a header. */
export function buildFileName(mediaId: string, mimeType: string): string {
  const [type = ''] = mimeType.toLowerCase().split(';')
  return `${mediaId}.${EXTENSIONS[type.trim()] ?? 'bin'}`
}
