import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchChannel } from '../bench-hub.ts'
import { buildHubEnv, type HubOptions } from '../pipeline/hub-process.ts'
import type { SeededNumber } from '../simulated-upstream.ts'

const run = promisify(execFile)

/** Each has few enough channels and endpoints for its rate limits. */
const ORGANIZATIONS = 5

type Owner = { organizationId: string; key: string }

/** Organizations with a channel for each number, by the commands and the API that all versions have. */
export async function seedChannels(
  hub: { url: string; options: HubOptions },
  numbers: SeededNumber[],
): Promise<BenchChannel[]> {
  const owners = await Promise.all(Array.from({ length: ORGANIZATIONS }, () => createOrganization(hub.options)))
  const channels = await Promise.all(
    owners.map(async (owner, offset) => {
      const own = numbers.filter((_, i) => i % ORGANIZATIONS === offset)
      const connected: BenchChannel[] = []
      for (const number of own) connected.push({ ...owner, id: await connectChannel(hub.url, owner, number), number })
      return connected
    }),
  )
  // In the order of the numbers, so that neighbors belong to different organizations.
  const byNumber = new Map(channels.flat().map((channel) => [channel.number, channel]))
  return numbers.flatMap((number) => byNumber.get(number) ?? [])
}

/** An endpoint for each channel alone. */
export async function seedEndpoints(url: string, channels: BenchChannel[], receiverPort: number): Promise<void> {
  for (const [index, { key, id }] of channels.entries()) {
    await post(`${url}/api/v1/webhooks`, key, {
      name: 'Bench',
      url: `http://127.0.0.1:${receiverPort}/ok/${index}`,
      event_types: ['message.received'],
      all_channels: false,
      channel_ids: [id],
    })
  }
}

async function createOrganization(options: HubOptions): Promise<Owner> {
  const root = options.root ?? ''
  const args = [join(root, 'server/src/bin/admin.ts'), 'create-organization', '--name', 'Bench']
  const { stdout } = await run(join(root, 'node_modules/.bin/node'), args, { env: buildHubEnv(options) })
  const { organization_id: organizationId, api_key: key } = JSON.parse(stdout)
  return { organizationId, key }
}

async function connectChannel(url: string, { key }: Owner, number: SeededNumber): Promise<string> {
  const created = await post(`${url}/api/v1/channels`, key, { name: 'Bench' })
  const id: string = created.data.channel.id
  const { accessToken: access_token, wabaId: waba_id, phoneNumberId: phone_number_id } = number
  await post(`${url}/api/v1/channels/${id}/connection`, key, { access_token, waba_id, phone_number_id })
  return id
}

async function post(url: string, key: string, body: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} responded ${answer.status}: ${text}`)
  return JSON.parse(text)
}
