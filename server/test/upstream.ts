import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { createSimulator } from '@hubline/simulator'

export type SeededNumber = { wabaId: string; phoneNumberId: string; accessToken: string; display: string }

export type NumberOptions = {
  registered?: boolean
  coexistence?: boolean
  pin?: string
  subscribed?: boolean
  throughput?: 'STANDARD' | 'HIGH'
}

type SeededAccount = {
  waba_id: string
  access_token: string
  numbers: { phone_number_id: string; display_phone_number: string }[]
}

export type Upstream = Awaited<ReturnType<typeof openUpstream>>

/** A simulated upstream for one test, whose clock stands still until the test advances it. */
export async function startUpstream(t: TestContext): Promise<Upstream> {
  const upstream = await openUpstream()
  t.after(() => upstream.simulator.close())
  return upstream
}

/** The same without an end. No two have the same ids, not even the same one after `renew`. */
export async function openUpstream() {
  const newSeed = () => randomBytes(8).toString('hex')
  const simulator = createSimulator({ clock: 'manual', seed: newSeed() })
  await simulator.listen()

  /** An account with one number, which is registered by default. */
  async function number(options: NumberOptions = {}): Promise<SeededNumber> {
    const { subscribed = false, registered = true, ...rest } = options
    const account = await simulator.control<SeededAccount>('POST', '/accounts', {
      subscribed,
      numbers: [{ registered, ...rest }],
    })
    const [first] = account.numbers
    if (!first) throw new Error('The simulator made no number')
    return {
      wabaId: account.waba_id,
      phoneNumberId: first.phone_number_id,
      accessToken: account.access_token,
      display: first.display_phone_number,
    }
  }

  /** The code that a finished sign-up passes to the page. */
  async function signUpCode(wabaId: string, accessToken?: string): Promise<string> {
    const options = accessToken === undefined ? {} : { access_token: accessToken }
    const created = await simulator.control<{ code: string }>('POST', '/codes', { waba_id: wabaId, ...options })
    return created.code
  }

  return { simulator, number, signUpCode, renew: () => simulator.renew(newSeed()) }
}
