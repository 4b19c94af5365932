/**
 * Reads variables and collects their problems, so that an
 * operator sees every problem at the first start and not one per start.
 */
export type EnvReader = ReturnType<typeof createEnvReader>

export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`Cannot start: ${problems.join('; ')}.`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

export function createEnvReader(env: Record<string, string | undefined>) {
  const problems: string[] = []
  const known = new Set<string>()

  function raw(name: string): string | undefined {
    known.add(name)
    const value = env[name]?.trim()
    return value === '' ? undefined : value
  }

  return {
    problem(text: string): void {
      problems.push(text)
    },

    text(name: string): string | undefined {
      return raw(name)
    },

    integer(name: string, fallback: number, range: { min: number; max: number }): number {
      const value = raw(name)
      if (value === undefined) return fallback
      const number = Number(value)
      if (/^\d+$/.test(value) && number >= range.min && number <= range.max) return number
      problems.push(`${name} must be a whole number from ${range.min} to ${range.max}`)
      return fallback
    },

    oneOf<const T extends string, Fallback extends T | undefined>(
      name: string,
      values: readonly T[],
      fallback: Fallback,
    ): T | Fallback {
      const value = raw(name)
      if (value === undefined) return fallback
      const match = values.find((candidate) => candidate === value)
      if (match === undefined) problems.push(`${name} must be one of ${values.join(', ')}`)
      return match ?? fallback
    },

    url(name: string, protocols: readonly string[]): URL | undefined {
      const value = raw(name)
      if (value === undefined) return undefined
      const url = URL.parse(value)
      if (url && protocols.includes(url.protocol) && isDecodable(url.href)) return url
      problems.push(`${name} must be a URL beginning with ${protocols.map((p) => `${p}//`).join(' or ')}`)
      return undefined
    },

    list(name: string): string[] {
      return (raw(name) ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    },

    /**
     * Reports misspelled variables, which would otherwise silently leave a default in force: those with a prefix of the
     * hub, and those that differ from a variable only in underscores or case.
     */
    refuseUnknown(prefixes: readonly string[]): void {
      const spellings = new Map([...known].map((name) => [toSpelling(name), name]))
      for (const name of Object.keys(env)) {
        const meant = spellings.get(toSpelling(name))
        if (known.has(name)) continue
        if (meant) problems.push(`${name} is not a variable of Hubline: it is spelled ${meant}`)
        else if (prefixes.some((prefix) => name.startsWith(prefix))) {
          problems.push(`${name} is not a variable of Hubline`)
        }
      }
    },

    finish(): void {
      if (problems.length > 0) throw new ConfigError(problems)
    },
  }
}

function toSpelling(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** Without this check a stray percent sign fails only when the URL is decoded later. */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}
