/** Removes the member if it is given as a replacement. */
export const GONE = Symbol('gone')

/** A copy of the value with the replacement at the JSON pointer. */
export function changed(value: unknown, pointer: string, replacement: unknown): unknown {
  const [name, ...rest] = pointer.split('/').slice(1)
  if (name === undefined) return replacement
  const isGone = rest.length === 0 && replacement === GONE
  if (isGone && Array.isArray(value)) return value.toSpliced(Number(name), 1)

  const copy = (Array.isArray(value) ? [...value] : { ...Object(value) }) as Record<string, unknown>
  if (isGone) delete copy[name]
  else copy[name] = changed(copy[name], ['', ...rest].join('/'), replacement)
  return copy
}

/** The JSON pointers of all values in the value, including the root. */
export function placesIn(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer]
  return [pointer, ...Object.entries(value).flatMap(([name, member]) => placesIn(member, `${pointer}/${name}`))]
}

export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((found, name) => Object(found)[name], value)
}
