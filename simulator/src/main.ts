import { createSimulator } from './server.ts'

const DEFAULT_PORT = 8081

interface SeededAccount {
  waba_id: string
  access_token: string
  numbers: { phone_number_id: string; display_phone_number: string }[]
}

/** Starts a simulator with one connected number. */
async function start(env: NodeJS.ProcessEnv): Promise<void> {
  const port = parsePort(env.SIMULATOR_PORT)
  const callbackUrl = env.SIMULATOR_CALLBACK_URL
  const paymentsCallbackUrl = env.SIMULATOR_PAYMENTS_CALLBACK_URL
  const simulator = createSimulator({
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    ...(paymentsCallbackUrl === undefined ? {} : { payments: { callbackUrl: paymentsCallbackUrl } }),
    // A fixed seed by default, so that ids in a configuration stay valid over restarts.
    seed: env.SIMULATOR_SEED ?? 'hubline',
  })
  await simulator.listen({ host: '127.0.0.1', port })
  const account = await simulator.control<SeededAccount>('POST', '/accounts', {
    name: 'Padaria São João',
    subscribed: true,
    numbers: [{ number: '5511987654321', registered: true }],
  })
  process.stdout.write(greeting(simulator, account))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close())
}

function parsePort(text: string | undefined): number {
  const port = Number(text ?? DEFAULT_PORT)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Error('SIMULATOR_PORT is malformed')
}

function greeting(
  { url, appId, appSecret, verifyToken, payments }: ReturnType<typeof createSimulator>,
  account: SeededAccount,
): string {
  const number = account.numbers[0]
  return `The simulated Graph API listens on ${url}
  app id        ${appId}
  app secret    ${appSecret}
  verify token  ${verifyToken}
  account       ${account.waba_id}
  number        ${number?.phone_number_id} (${number?.display_phone_number})
  token         ${account.access_token}
The simulated payment provider listens there too
  secret key      ${payments.secretKey}
  webhook secret  ${payments.webhookSecret}

Try:
  curl -s ${url}/v25.0/${number?.phone_number_id} -H 'Authorization: Bearer ${account.access_token}'
  curl -s -X POST ${url}/_sim/contacts/5511999990000/messages -d '{"to":"${number?.phone_number_id}","type":"text"}'
  curl -s ${url}/_sim/webhooks
  curl -s ${url}/v1/customers -u ${payments.secretKey}: -d email=maria@example.com
  open ${url}/_sim/signup?opener_origin=http://localhost:8080
Webhooks are sent to SIMULATOR_CALLBACK_URL or the URL of PUT /_sim/callback; those of payments to
SIMULATOR_PAYMENTS_CALLBACK_URL or the URL of PUT /_sim/payments/callback.
`
}

await start(process.env).catch((err: Error) => {
  process.stderr.write(`Cannot start: ${err.message}\n`)
  process.exitCode = 1
})
