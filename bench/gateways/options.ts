import { accessSync, constants, statSync } from 'node:fs'

/** The gateways beside the hub, whose programs a person has built. */
export const OTHERS = ['outpost', 'svix'] as const
export type OtherName = (typeof OTHERS)[number]

/** The path of the program of each gateway that is to be measured. */
export type GatewayPaths = { [Name in OtherName]?: string }

/** The paths, or the sentence that says what is wrong with one. */
export function readGatewayPaths(values: { [Name in OtherName]?: string | undefined }): GatewayPaths | string {
  const paths: GatewayPaths = {}
  for (const name of OTHERS) {
    const path = values[name]
    if (path === undefined) continue
    if (!isProgram(path)) {
      return `--${name} is the path of a program, and there is none at "${path}": docs/benchmark-gateways.md says which it is.`
    }
    paths[name] = path
  }
  return paths
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
