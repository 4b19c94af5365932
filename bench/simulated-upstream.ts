import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { request } from 'undici'

export type SeededNumber = { wabaId: string; phoneNumberId: string; accessToken: string; display: string }

type Account = {
  waba_id: string
  access_token: string
  numbers: { phone_number_id: string; display_phone_number: string }[]
}

/** The simulator in a separate process, without limits and with `count` registered numbers. */
export async function startUpstream(count: number) {
  const child = fork(join(import.meta.dirname, 'simulator-process.ts'))
  const [url] = (await once(child, 'message')) as [string]

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
      child.disconnect()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
