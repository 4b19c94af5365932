import type { Config } from './config.ts'

/** The address under which the hub answers as the Cloud API does. */
export function toGraphUrl({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `${publicUrl}/graph`
}
