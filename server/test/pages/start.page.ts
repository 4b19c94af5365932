import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, newDirectory } from '../journeys/processes.ts'
import { openBrowser } from './browser.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('npm start without configuration gives a database, the simulator, sandbox billing and the dashboard', {
  rules: ['config.starts-without-any-variable'],
}, async (t) => {
  const [port, DATA_DIR] = [String(await freePort()), join(await newDirectory(t), 'data')]
  const { DATABASE_URL: _url, ...env } = process.env
  const hub = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...env, PORT: port, SIMULATOR_PORT: '0', DATA_DIR },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(async () => {
    hub.kill('SIGINT')
    await once(hub, 'close')
  })
  let output = ''
  for await (const chunk of hub.stdout) {
    output += chunk
    if (output.includes('Hubline is ready')) break
  }
  const origin = `http://localhost:${port}`

  const page = await (await openBrowser(t)).newPage()
  await page.goto(origin)
  await page.getByRole('textbox', { name: 'E-mail' }).waitFor()
  const answer = await page.request.post(`${origin}/console/sign-up`, {
    headers: { origin },
    data: { name: 'Ana', email: 'ana@example.com', password: 'correct horse battery', organization_name: 'Acme' },
  })
  const plan = await page.request.get(`${origin}/api/v1/subscription`)

  assert.match(output, /Simulator {2}http:\/\/127\.0\.0\.1:\d+/)
  assert.equal(answer.status(), 201)
  assert.equal((await plan.json()).data.subscription.plan, 'free')
})
