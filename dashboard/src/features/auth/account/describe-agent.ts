/** By their order: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const BROWSERS = { Firefox: 'Firefox', Edg: 'Edge', OPR: 'Opera', Chrome: 'Chrome', Safari: 'Safari' }
/** Android also calls itself Linux. */
const SYSTEMS = {
  Windows: 'Windows',
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  Macintosh: 'macOS',
  Linux: 'Linux',
}
const LENGTH_MAX = 40

/** `Mozilla/5.0 (X11; Linux x86_64) … Chrome/140.0` as people say it: `Chrome · Linux`. */
export function describeAgent(agent: string | null): string | undefined {
  if (agent === null || agent === '') return undefined
  const words = [
    findName(BROWSERS, (mark) => agent.includes(`${mark}/`)),
    findName(SYSTEMS, (mark) => agent.includes(mark)),
  ].filter((word) => word !== undefined)
  return words.length === 0 ? agent.slice(0, LENGTH_MAX) : words.join(' · ')
}

function findName(names: Record<string, string>, isMarked: (mark: string) => boolean): string | undefined {
  return Object.entries(names).find(([mark]) => isMarked(mark))?.[1]
}
