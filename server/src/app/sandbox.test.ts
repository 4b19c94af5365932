import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type TestContext, test } from 'node:test'
import { readConfig } from './config/config.ts'
import { toSandboxSettings } from './config/upstream-settings.ts'
import { startSandbox } from './sandbox.ts'

const APP = { appId: '100', appSecret: 'secret', verifyToken: 'verify' }

async function listen(t: TestContext, port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function sandboxAt(port: number) {
  const config = readConfig({ SIMULATOR_PORT: String(port) })
  return startSandbox(config, toSandboxSettings(config, APP))
}

async function isOpen(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port })
  const opened = once(socket, 'connect').then(
    () => true,
    () => false,
  )
  const isReached = await opened
  socket.destroy()
  return isReached
}

// A client that can reach the simulator can act as any customer.
test('the simulator listens only on 127.0.0.1', { rules: ['config.simulator-is-local'] }, async (t) => {
  const sandbox = await sandboxAt(0)
  t.after(() => sandbox[Symbol.asyncDispose]())
  const { hostname, port } = new URL(sandbox.settings.url)
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
  const others = own.filter((address) => address !== '127.0.0.1' && !address.startsWith('fe80:'))
  // On Linux all of 127.0.0.0/8 is this machine, so another address of it shows a listener on all addresses.
  const tried = process.platform === 'linux' ? [...others, '127.0.0.2'] : others

  const reached = await Promise.all(tried.map((host) => isOpen(host, Number(port))))

  assert.equal(hostname, '127.0.0.1')
  assert.ok(await isOpen('127.0.0.1', Number(port)))
  assert.ok(!reached.includes(true), tried.join())
})

test('a port in use for the simulator is an error that names SIMULATOR_PORT', async (t) => {
  const port = await listen(t, 0)

  const message = `Port ${port} for the simulator is taken; set SIMULATOR_PORT to another`
  await assert.rejects(sandboxAt(port), { name: 'CannotStart', message })
})
