import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../test/database.ts'
import { startHub } from '../../../../test/hub.ts'
import { openPool } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import { type LogFilter, listMessages } from './store.ts'

const DAYS = 5
const OTHER_ROWS_MAX = 50
const PAGE = 51
const WHOLE_LOG = { from: '00000000-0000-7000-8000-000000000000', before: 'ffffffff-ffff-7fff-bfff-ffffffffffff' }

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** Runs the log's query, and returns the plan that the database used for it. */
async function startPlanning(t: Parameters<typeof startHub>[0], mode: string) {
  const { target } = await testDatabase()
  let last: { text: string; values: unknown[] } | undefined
  const sql = openPool(target, { max: 1, name: 'planning', onStatement: (text, values) => (last = { text, values }) })
  t.after(() => sql.end())
  await sql.unsafe(`set plan_cache_mode = '${mode}'`)

  return async (filter: LogFilter): Promise<Plan> => {
    await listMessages(sql, filter)
    const { text, values } = last!
    const [row] = await sql.unsafe(`explain (analyze, format json) ${text}`, values as string[])
    return row!['QUERY PLAN'][0].Plan
  }
}

function listNodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(listNodes)]
}

/** The rows that the database read for a node, including those that it filtered out. */
function countRows(node: Plan): number {
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + dropped) * node['Actual Loops']
}

/** 20,000 messages of one channel over five days, a tenth outbound, a thousandth failed, and 1,000 of other channels. */
async function fill(hub: Awaited<ReturnType<typeof startHub>>, organizationId: string, channelId: string) {
  await hub.sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, content)
    select ${organizationId}, case when n % 20 = 0 then gen_random_uuid() else ${channelId}::uuid end,
      (lpad(to_hex((extract(epoch from date_trunc('day', hub_now())) * 1000)::bigint + n::bigint * ${DAYS} * 4000), 12, '0')
        || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
      case when n % 10 = 1 then 'outbound' else 'inbound' end, 'text',
      case when n % 10 <> 1 then 'received' when n % 1000 = 1 then 'failed' else 'delivered' end,
      '{"body":"x"}'
    from generate_series(1, 21000) n`
  await hub.sql`vacuum analyze messages`
}

const FILTERS: Record<string, Pick<LogFilter, 'direction' | 'status'>> = {
  'without a filter': { direction: null, status: null },
  'of one direction (outbound)': { direction: 'outbound', status: null },
  'of the common status': { direction: null, status: 'received' },
  'of a rare status': { direction: null, status: 'failed' },
  'of a status that no message has': { direction: null, status: 'unknown' },
}

for (const mode of ['force_custom_plan', 'force_generic_plan']) {
  test(`a page of the log reads few more rows than it shows, by an index, with each filter (${mode})`, async (t) => {
    const hub = await startHub(t)
    const { organizationId } = await hub.organization()
    const channelId = newId()
    await fill(hub, organizationId, channelId)
    const plan = await startPlanning(t, mode)
    const [middle] = await hub.sql<{ id: string }[]>`
      select id from messages where channel_id = ${channelId} order by id offset 10000 limit 1`

    for (const [name, filter] of Object.entries(FILTERS)) {
      for (const before of [null, middle!.id]) {
        const top = await plan({
          organizationId,
          channelId,
          ...filter,
          window: WHOLE_LOG,
          before,
          limit: PAGE,
          bytesMax: 1e9,
        })

        const where = `${name}, ${before === null ? 'first page' : 'from the middle'}: ${JSON.stringify(top)}`
        for (const node of listNodes(top)) {
          assert.ok(countRows(node) <= PAGE + OTHER_ROWS_MAX, where)
          if (node['Node Type'] === 'Sort') assert.ok(countRows(node.Plans![0]!) <= OTHER_ROWS_MAX, where)
        }
        const scans = listNodes(top).filter((node) => node['Relation Name'] && countRows(node) > 0)
        for (const scan of scans) assert.match(scan['Node Type'], /^Index (Only )?Scan$/, where)
        assert.equal(scans.length > 0, filter.status !== 'unknown', where)
      }
    }
  })
}
