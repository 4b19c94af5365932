import { cpSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, matchesGlob, relative } from 'node:path'
import { BASE_SETTINGS, makeBase } from './base.ts'
import { readCopy, readDockerfile, readVariables, readWords, type Stage } from './dockerfile.ts'
import { findMachineBinds, machineVariables } from './machine.ts'
import { finish, run, type Settings, startIn } from './running.ts'

export type Image = {
  settings: Settings
  command: string[]
  health: string[]
  volumes: string[]
  /** The directories whose union it is, the newest first, and that union, which can only be read. */
  layers: string[]
  root: string
}

/** Copies the repository without what `.dockerignore` names, as Docker sends it to a build. */
export function copyContext(repository: string, context: string): void {
  const ignored = readFileSync(join(repository, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  const isSent = (path: string) => !ignored.some((pattern) => matchesGlob(relative(repository, path), pattern))
  cpSync(repository, context, { recursive: true, verbatimSymlinks: true, filter: isSent })
}

/** No stage has this name. */
const BASE = 'official-image'

/** Carries out the steps of a Dockerfile, each stage as a layer of its own in `directory`. Its mounts end with this process's namespace. */
export function createBuilder({ context, directory }: { context: string; directory: string }) {
  const stages = readDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'))
  const built = new Map<string, Promise<Image>>()

  /** Each stage once. Another name is that of an image to begin with. */
  function build(name: string): Promise<Image> {
    const known = built.get(name)
    if (known) return known
    const stage = stages.find((one) => one.name === name)
    const image = stage ? buildStage(stage) : buildBase(name)
    built.set(name, image)
    return image
  }

  async function buildBase(name: string): Promise<Image> {
    const root = join(directory, BASE)
    await makeBase(name, root)
    return { settings: BASE_SETTINGS, command: [], health: [], volumes: [], layers: [root], root }
  }

  async function buildStage({ name, from, steps }: Stage): Promise<Image> {
    const parent = await build(from)
    const [layer, work, root] = ['layer', 'work', 'root'].map((part) => join(directory, name, part)) as [
      string,
      string,
      string,
    ]
    for (const folder of [layer, work, root]) mkdirSync(folder, { recursive: true })
    const lower = `lowerdir=${parent.layers.join(':')}`
    await run('mount', '-t', 'overlay', '-o', `${lower},upperdir=${layer},workdir=${work}`, 'overlay', root)
    const image: Image = { ...parent, settings: { ...parent.settings }, root, layers: [layer, ...parent.layers] }
    for (const { word, text } of steps) await carryOut(image, word, text)
    await run('umount', root)
    await run('mount', '-t', 'overlay', '-o', `ro,lowerdir=${image.layers.join(':')}`, 'overlay', root)
    return image
  }

  async function carryOut(image: Image, word: string, text: string): Promise<void> {
    const { settings } = image
    if (word === 'RUN') await runStep(image, text)
    else if (word === 'COPY') await copy(image, text)
    else if (word === 'WORKDIR') {
      settings.directory = text
      mkdirSync(join(image.root, text), { recursive: true })
    } else if (word === 'ENV') settings.env = { ...settings.env, ...readVariables(text) }
    else if (word === 'USER') settings.user = text
    else if (word === 'CMD') image.command = readWords(text)
    else if (word === 'HEALTHCHECK') image.health = readWords(text)
    else if (word === 'VOLUME') image.volumes = [...image.volumes, text]
    else if (word !== 'EXPOSE') throw new Error(`The Dockerfile has ${word} ${text}, which is not known here.`)
  }

  /** With the machine's network, registry and cache of npm, of which nothing remains. */
  async function runStep({ root, settings }: Image, text: string): Promise<void> {
    const env = { ...(await machineVariables()), ...settings.env }
    const step = {
      root,
      settings: { ...settings, env },
      command: ['sh', '-c', text],
      binds: await findMachineBinds(root),
    }
    await finish(`RUN ${text}`, startIn(step))
  }

  async function copy({ root, settings }: Image, text: string): Promise<void> {
    const { sources, target, from } = readCopy(text)
    const place = join(root, target.startsWith('/') ? '' : settings.directory, target)
    const origin = from ? (await build(from)).root : context
    const found = sources.flatMap((source) => globSync(source.replace(/^\//, ''), { cwd: origin }))
    if (found.length === 0) throw new Error(`COPY ${text} finds nothing.`)
    for (const path of found.map((one) => join(origin, one))) {
      const isInFolder = target.endsWith('/') || target === '.'
      const goal = isInFolder && !statSync(path).isDirectory() ? join(place, basename(path)) : place
      cpSync(path, goal, { recursive: true, verbatimSymlinks: true })
    }
  }

  return { build }
}
