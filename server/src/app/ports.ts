import { createServer } from 'node:net'
import type { Config } from './config/config.ts'
import { CannotStart } from './installation.ts'

/** The simulator listens on loopback only: a client that can reach it can act as any customer. */
export const SIMULATOR_HOST = '127.0.0.1'

/** Reports a taken port before the database is opened, which may take seconds. */
export async function requireFreePorts(config: Config, { isSandbox }: { isSandbox: boolean }): Promise<void> {
  await tryPort(config.host, config.port).catch((err) => Promise.reject(toListenError(err, config)))
  if (!isSandbox) return
  await tryPort(SIMULATOR_HOST, config.simulatorPort).catch((err) => Promise.reject(toSimulatorError(err, config)))
}

/** An error that the operator can fix becomes one sentence. */
export function toListenError(err: unknown, { host, port }: Config): unknown {
  const code = readCode(err)
  if (code === 'EADDRINUSE') return new CannotStart(`Port ${port} on ${host} is taken; set PORT to another`)
  if (code === 'EACCES') return new CannotStart(`Port ${port} on ${host} needs privileges; set PORT to another`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new CannotStart(`HOST ${host} is not this machine's`)
  return err
}

export function toSimulatorError(err: unknown, { simulatorPort }: Config): unknown {
  if (readCode(err) !== 'EADDRINUSE') return err
  return new CannotStart(`Port ${simulatorPort} for the simulator is taken; set SIMULATOR_PORT to another`)
}

function readCode(err: unknown): unknown {
  return err instanceof Error && 'code' in err ? err.code : undefined
}

async function tryPort(host: string, port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ host, port }, resolve))
  await new Promise((resolve) => server.close(resolve))
}
