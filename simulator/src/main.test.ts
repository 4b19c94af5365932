import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

test('the program prints its address, serves requests and exits on a signal', async (t) => {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, SIMULATOR_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  const output: string[] = []
  for await (const line of lines) {
    output.push(line)
    if (line.startsWith('Webhooks are sent to')) break
  }

  const url = /listens on (http:\/\/127\.0\.0\.1:\d+)$/.exec(output[0] ?? '')?.[1] ?? ''
  const [, token] = /^ {2}token +(\S+)$/m.exec(output.join('\n')) ?? []
  const [, number] = /^ {2}number +(\d+) /m.exec(output.join('\n')) ?? []
  const response = await fetch(`${url}/v25.0/${number}`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200)
  await response.text()
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})

test('a malformed port ends the program with a message', async () => {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, SIMULATOR_PORT: 'x' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })

  const [code] = await once(child, 'exit')

  assert.equal(code, 1)
  assert.equal(output, 'Cannot start: SIMULATOR_PORT is malformed\n')
})
