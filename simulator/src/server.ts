import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createChangeNotifier } from './change-notifier.ts'
import { type ClockMode, createClock } from './clock.ts'
import { ControlError } from './control/reader.ts'
import { createFaults } from './faults.ts'
import { createWebhooks } from './graph/callbacks/webhooks.ts'
import type { Graph } from './graph/context.ts'
import { createLimits } from './graph/limits.ts'
import { createFileStore } from './graph/media/file-store.ts'
import { type App, DEFAULT_TIMINGS, type Timings } from './graph/options.ts'
import { createState } from './graph/state.ts'
import { inject, serve } from './http/app.ts'
import type { Json } from './json.ts'
import { createIdempotency } from './payments/http/idempotency.ts'
import { createPayments, type PaymentOptions } from './payments/payments.ts'
import { createPaymentState } from './payments/state.ts'
import { createRandom } from './random.ts'
import { createRequestLog } from './request-log.ts'
import { openStateFile } from './state-file.ts'

export interface SimulatorOptions {
  appId?: string
  appSecret?: string
  appName?: string
  verifyToken?: string
  /** The callback until the app subscribes another one. */
  callbackUrl?: string
  /**
   * With the same seed, ids, tokens and shuffles are the same in every run.
   * Without one they differ, so that a hub with data of an earlier run does not
   * get the same ids again.
   */
  seed?: string
  /** `manual` stands still until `/_sim/clock` moves it. */
  clock?: ClockMode
  /** The start of the clock. */
  now?: Date
  timings?: Partial<Timings>
  /** Keeps the state over restarts. */
  stateFile?: string
  /** Origins, besides loopback, that may receive a code of the sign-up page. */
  allowedOrigins?: string[]
  /** The base of the addresses of payment pages, if another server shows them. By default they are at the simulator. */
  pagesUrl?: string
  /** Settings of the payment provider, which also runs without them. */
  payments?: PaymentOptions
}

export interface Simulator extends AsyncDisposable {
  readonly url: string
  readonly appId: string
  readonly appSecret: string
  readonly verifyToken: string
  /** The payment provider's base URL, API key and webhook signing secret. */
  readonly payments: { readonly url: string; readonly secretKey: string; readonly webhookSecret: string }
  listen(at?: { host?: string; port?: number }): Promise<string>
  /** The control API without HTTP: `control('POST', '/accounts', { name: 'Padaria' })`. */
  control<T = Json>(method: string, path: string, body?: Json): Promise<T>
  /** Forgets everything but its address and its keys, and goes on with another seed. Not for one with a state file. */
  renew(seed: string): void
  close(): Promise<void>
}

export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const address = { url: 'http://127.0.0.1' }
  let parts = assemble(options, address)
  const { app } = parts.graph
  const { secretKey, webhookSecret } = parts.payments.account
  const server = createServer((request, response) => {
    const { stateFile } = parts
    // The state may be saved while the request is served, so what it changes after that counts again.
    stateFile.touch()
    response.once('close', stateFile.touch)
    void serve(parts, request, response)
  })
  // Idle keep-alive connections would delay the end of a test.
  server.keepAliveTimeout = 5_000

  const simulator: Simulator = {
    get url() {
      return address.url
    },
    appId: app.id,
    appSecret: app.secret,
    verifyToken: app.verifyToken,
    payments: {
      get url() {
        return address.url
      },
      secretKey,
      webhookSecret,
    },
    async listen({ host = '127.0.0.1', port = 0 } = {}) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(port, host, resolve)
      })
      address.url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
      return address.url
    },
    control: async <T>(method: string, path: string, body?: Json) => {
      const { statusCode: status, payload } = await inject(parts, method, `/_sim${path}`, body)
      parts.stateFile.touch()
      if (status === 500) throw new Error(payload)
      const result = JSON.parse(payload) as T & { error: string }
      if (status !== 200) throw new ControlError(status, result.error)
      return result
    },
    renew(seed) {
      endWork(parts)
      parts.graph.files.close()
      const { id: appId, secret: appSecret, verifyToken } = app
      const payments = { ...options.payments, secretKey, webhookSecret }
      parts = assemble({ ...options, appId, appSecret, verifyToken, payments, seed }, address)
    },
    async close() {
      endWork(parts)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      parts.graph.files.close()
      parts.stateFile.close()
    },
    [Symbol.asyncDispose]: () => simulator.close(),
  }
  return simulator
}

/** Ends what a simulator does by itself, and the requests that it holds. */
function endWork({ graph, payments, faults }: Parts): void {
  graph.clock.clear()
  graph.webhooks.outbox.close()
  payments.webhooks.close()
  faults.remove()
}

type Parts = ReturnType<typeof assemble>

function assemble(options: SimulatorOptions, address: { url: string }) {
  const seed = options.seed ?? randomUUID()
  const random = createRandom(seed)
  const clock = createClock(options.clock ?? 'live', options.now?.getTime())
  const notifier = createChangeNotifier()
  const files = createFileStore()
  const state = createState((media) => files.discard(media.path))
  const paymentState = createPaymentState()
  const stateFile = openStateFile(options.stateFile, state, paymentState)
  const timings = { ...DEFAULT_TIMINGS, ...options.timings }
  const app = createApp(options, seed)
  const webhooks = createWebhooks({ clock, random, state, app, timings, notifier })
  webhooks.callback.url = options.callbackUrl
  const limits = createLimits(clock)
  const graph: Graph = { app, timings, clock, random, state, limits, files, webhooks, url: () => address.url }
  const faults = createFaults(random)
  const log = createRequestLog(notifier)
  const payments = createPayments(options.payments ?? {}, {
    clock,
    seed,
    notifier,
    timings,
    state: paymentState,
    url: () => options.pagesUrl ?? address.url,
    changed: () => stateFile.touch(),
    save() {
      stateFile.touch()
      stateFile.save()
    },
  })
  const runOnce = createIdempotency(paymentState.responses)
  const allowedOrigins = options.allowedOrigins ?? []
  return { graph, payments, runOnce, faults, log, notifier, stateFile, allowedOrigins }
}

/** Has a random source of its own, because a reset restarts the other one and would reuse the app's id. */
function createApp(options: SimulatorOptions, seed: string): App {
  const random = createRandom(`${seed}:app`)
  const made = { id: random.digits(15), secret: random.text(32), verifyToken: random.text(24) }
  return {
    id: options.appId ?? made.id,
    secret: options.appSecret ?? made.secret,
    name: options.appName ?? 'Hubline (simulated)',
    businessId: random.digits(15),
    verifyToken: options.verifyToken ?? made.verifyToken,
  }
}
