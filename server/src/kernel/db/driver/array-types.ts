import type postgres from 'postgres'
import { parse } from 'postgres-array'

/** Element type to array type, for every array that the hub's statements take or return. */
const ARRAY_TYPES = [
  [16, 1000], // boolean
  [17, 1001], // bytea
  [20, 1016], // bigint
  [21, 1005], // smallint
  [23, 1007], // int
  [25, 1009], // text
  [701, 1022], // float8
  [1184, 1185], // timestamptz
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
] as const

/** The part of the driver's options that is used here. */
type DriverOptions = {
  parsers: Record<number, (value: string) => unknown>
  serializers: Record<number, (value: unknown) => unknown>
  shared: { typeArrayMap: Record<number, number> }
}

/**
 * Makes the driver read and write arrays. With its option `fetch_types` it learns them by a statement on each new
 * connection, in a promise that it does not await: a connection lost at that moment is an unhandled rejection.
 */
export function addArrayTypes({ options }: postgres.Sql<Record<string, never>>): void {
  const { parsers, serializers, shared } = options as unknown as DriverOptions
  for (const [element, array] of ARRAY_TYPES) {
    const [parseElement, serializeElement] = [parsers[element], serializers[element] ?? String]
    shared.typeArrayMap[element] = array
    parsers[array] = (text) => (parseElement ? parse(text, parseElement) : parse(text))
    serializers[array] = (value) => (Array.isArray(value) ? formatArray(value, serializeElement) : value)
  }
}

function formatArray(values: unknown[], serialize: (value: unknown) => unknown): string {
  const elements = values.map((value) => {
    if (value === undefined) throw new TypeError('An element of an array parameter is undefined.')
    return value === null ? 'null' : `"${String(serialize(value)).replaceAll(/["\\]/g, '\\$&')}"`
  })
  return `{${elements.join(',')}}`
}
