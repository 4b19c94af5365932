/** Returns true if an `Accept` header prefers a media type to another: both are served, and `other` if it prefers neither. */
export function prefersType(accept: string | undefined, type: string, other: string): boolean {
  const ranges = (accept ?? '').split(',').map(parseRange)
  return readQuality(ranges, type) > readQuality(ranges, other)
}

type Range = { name: string; quality: number }

function parseRange(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const [, quality = '1'] =
    /^q=([01](?:\.\d{0,3})?)$/.exec(parameters.find((part) => part.startsWith('q=')) ?? '') ?? []
  return { name, quality: Number(quality) }
}

/** Returns the quality of the narrowest range that contains the type. */
function readQuality(ranges: readonly Range[], type: string): number {
  const [main = ''] = type.split('/')
  const names = [type, `${main}/*`, '*/*']
  const found = names.map((name) => ranges.find((range) => range.name === name)).find((range) => range !== undefined)
  return found?.quality ?? 0
}
