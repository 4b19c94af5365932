import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

const PATCHES = 'tools/torture/bugs/*.patch'

/** The planted bugs that do not apply to the sources, one sentence each. */
export function checkPatches(root: string): string[] {
  return globSync(PATCHES, { cwd: root }).flatMap((path) => {
    const { status, stderr } = spawnSync('git', ['apply', '--check', path], { cwd: root, encoding: 'utf8' })
    return status === 0 ? [] : [`${path} no longer applies. Plant the bug in the changed code: ${stderr.trim()}`]
  })
}
