/** The heading of a recipe in the guide, by the name that the dashboard shows. */
const HEADINGS = { Node: '## Express', Python: '### Python', PHP: '### PHP', Go: '### Go' }

/** The code of the recipes. One in several files is in several blocks. */
export function readReceivers(guide: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(HEADINGS).map(([language, heading]) => [language, readBlocks(guide, heading).join('\n')]),
  )
}

function readBlocks(guide: string, heading: string): string[] {
  const [, rest] = guide.split(`\n${heading}\n`)
  if (rest === undefined) throw new Error(`The guide has no heading ${heading}`)
  const [section = ''] = rest.split(/\n##/)
  const blocks = [...section.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  if (blocks.length === 0) throw new Error(`${heading} of the guide has no code`)
  return blocks
}
