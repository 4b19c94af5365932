import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { request } from 'undici'

const PROGRAM = join(import.meta.dirname, '../../simulator/src/main.ts')

export type SeededNumber = { wabaId: string; phoneNumberId: string; accessToken: string; display: string }

type Account = {
  waba_id: string
  access_token: string
  numbers: { phone_number_id: string; display_phone_number: string }[]
}

/** The simulator in a separate process, without limits and with `count` registered numbers. */
export async function startUpstream(count: number) {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, SIMULATOR_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = () => child.kill('SIGTERM')
  process.once('exit', stop)
  const url = await readUrl(child.stdout)

  async function control<T>(method: 'PUT' | 'POST', path: string, body: object): Promise<T> {
    const answer = await request(`${url}/_sim${path}`, { method, body: JSON.stringify(body) })
    if (answer.statusCode !== 200) throw new Error(`The simulator responded ${await answer.body.text()}`)
    return (await answer.body.json()) as T
  }

  await control('PUT', '/limits', { enforced: false })
  const numbers: SeededNumber[] = []
  for (let i = 0; i < count; i++) {
    const account = await control<Account>('POST', '/accounts', { numbers: [{ registered: true }] })
    const [number] = account.numbers
    if (!number) throw new Error('The simulator made no number')
    const { waba_id: wabaId, access_token: accessToken } = account
    const { phone_number_id: phoneNumberId, display_phone_number: display } = number
    numbers.push({ wabaId, accessToken, phoneNumberId, display })
  }
  return {
    url,
    numbers,
    async [Symbol.asyncDispose]() {
      stop()
      if (child.exitCode === null) await once(child, 'exit')
      process.off('exit', stop)
    },
  }
}

/** The first line of output contains the URL. The rest is read too: a full pipe would block the simulator. */
async function readUrl(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output })
  const [line] = await once(lines, 'line')
  const [url] = /http:\S+/.exec(line) ?? []
  if (url === undefined) throw new Error(`The simulator printed no URL, but ${line}`)
  return url
}
