import { ErasureCounts } from './schemas.ts'

const NAMES = Object.keys(ErasureCounts.properties) as (keyof ErasureCounts)[]

export function toCounts(counts: Partial<ErasureCounts>): ErasureCounts {
  return Object.fromEntries(NAMES.map((name) => [name, counts[name] ?? 0])) as ErasureCounts
}

export function addCounts(counts: ErasureCounts, more: Partial<ErasureCounts>): ErasureCounts {
  return Object.fromEntries(NAMES.map((name) => [name, counts[name] + (more[name] ?? 0)])) as ErasureCounts
}
