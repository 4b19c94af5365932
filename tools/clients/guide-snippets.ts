import { lookup } from 'node:dns/promises'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readBlocks } from '../guides/blocks.ts'
import type { Client } from './clients.ts'
import { type CallResult, runProgram } from './driving.ts'
import type { World } from './world.ts'

const ROOT = join(import.meta.dirname, '../..')
const PLACEHOLDER = 'https://hub.example.com/graph'

/**
 * Runs the lines that the guide has for a client, as a user copies them. They work if they send a message. Returns no
 * result if the client needs a host that cannot be reached.
 */
export async function runSnippet(folder: string, client: Client, worldFile: string): Promise<CallResult[]> {
  const isReachable = client.otherHost === undefined || (await lookup(client.otherHost).catch(() => undefined))
  return isReachable ? [await sendAsGuide(folder, client, worldFile)] : []
}

async function sendAsGuide(folder: string, client: Client, worldFile: string): Promise<CallResult> {
  const name = 'the lines of this guide'
  const world: World = JSON.parse(await readFile(worldFile, 'utf8'))
  const snippet = findSnippet(client)
  if (snippet === undefined) return { name, works: false, problem: 'the guide has none' }
  const file = join(folder, client.installer === 'npm' ? 'snippet.mjs' : 'snippet.py')
  await writeFile(file, snippet.replaceAll(PLACEHOLDER, world.graph))
  const before = await countMessages(world)
  const { code, stderr } = await runProgram(client, folder, file, {
    CHANNEL_TOKEN: world.token,
    PHONE_NUMBER_ID: world.phoneNumberId,
    WABA_ID: world.wabaId,
    WEBHOOK_SECRET: world.webhook.secret,
  })
  const works = code === 0 && (await countMessages(world)) === before + 1
  return { name, works, ...(!works && { problem: `${code}: ${stderr}` }) }
}

function findSnippet({ name, module = name }: Client): string | undefined {
  const isImported = (text: string) => text.includes(`from '${module}'`) || text.includes(`from ${module} import`)
  return readBlocks(ROOT).find(({ file, text }) => file.endsWith('existing-clients.md') && isImported(text))?.text
}

async function countMessages({ simulator }: World): Promise<number> {
  const { messages } = (await (await fetch(`${simulator}/messages`)).json()) as { messages: unknown[] }
  return messages.length
}
