import { readConfig } from '../src/app/config/config.ts'
import { toSandboxSettings } from '../src/app/config/upstream-settings.ts'
import { startHub } from '../src/app/hub.ts'
import { openPool } from '../src/kernel/db/pool.ts'
import { createLogger } from '../src/kernel/logger.ts'

/**
 * A hub alone in a process, for tests that kill it in the middle of a job: it runs the job that its parent names, when the
 * parent names it, and sends `done`. Its clock is ahead by so many milliseconds.
 */
const [target = '', ring = '', aheadMs = '0'] = process.argv.slice(2)
const sql = openPool(target, { max: 5, name: 'job process' })
const config = readConfig({ PORT: '0', BILLING: 'off' })
const app = { appId: '1', appSecret: 's', verifyToken: 'v' }
const hub = await startHub(
  config,
  {
    sql,
    keyRing: () => [{ id: 'test', bytes: Buffer.from(ring, 'hex') }],
    keyFile: undefined,
    location: 'a test',
    applied: [],
    upstream: toSandboxSettings(config, app, 'http://127.0.0.1:1'),
    async [Symbol.asyncDispose]() {},
  },
  {
    logger: createLogger('fatal'),
    now: () => new Date(Date.now() + Number(aheadMs)),
    isDelivering: false,
    hasTimers: false,
  },
)
const jobs = {
  'delete-organizations': () => hub.context.offboarding.deleteDue(),
  'erase-people': () => hub.context.erasureWorker.runAll(),
}
export type ProcessJob = keyof typeof jobs

process.on('message', async (name: ProcessJob) => {
  await jobs[name]()
  process.send?.('done')
})
process.send?.('ready')
