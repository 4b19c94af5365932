/** One instruction, such as `RUN` with its command. */
export type Step = { word: string; text: string }
export type Stage = { name: string; from: string; steps: Step[] }

/** The stages of a Dockerfile in their order. */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .join('\n')
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n')
  const stages: Stage[] = []
  for (const line of lines) {
    const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (word === 'FROM') {
      const [, from = '', name = from] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? []
      stages.push({ name, from, steps: [] })
    } else {
      const stage = stages.at(-1)
      if (!word || !stage) throw new Error(`The Dockerfile has a line that is no instruction of a stage: ${line}`)
      stage.steps.push({ word, text: rest })
    }
  }
  return stages
}

/** The words of `COPY`: what is copied, the place for it, and the stage that it comes from. */
export function readCopy(text: string): { sources: string[]; target: string; from: string | undefined } {
  const words = text.split(/\s+/)
  const options = words.filter((word) => word.startsWith('--'))
  const [from] = options.flatMap((option) => /^--from=(.+)$/.exec(option)?.[1] ?? [])
  if (options.length > (from ? 1 : 0)) throw new Error(`COPY has an option that is not known here: ${text}`)
  const paths = words.filter((word) => !word.startsWith('--'))
  const target = paths.pop()
  if (!target || paths.length === 0) throw new Error(`COPY needs a source and a target: ${text}`)
  return { sources: paths, target, from }
}

/** `NAME=value NAME=value`. Quoted values do not occur. */
export function readVariables(text: string): Record<string, string> {
  if (/["']/.test(text)) throw new Error(`ENV has a quoted value, which is not known here: ${text}`)
  return Object.fromEntries(
    text.split(/\s+/).map((word) => {
      const at = word.indexOf('=')
      return [word.slice(0, at), word.slice(at + 1)]
    }),
  )
}

/** The words of a command in its form of a list, as `CMD` and `HEALTHCHECK` have it. */
export function readWords(text: string): string[] {
  return JSON.parse(text.slice(text.indexOf('[')))
}
