import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import { countRowsRead, explainStatement, listNodes, openRecordingPool } from '../../../../test/query-plans.ts'
import { newId } from '../../../kernel/ids.ts'
import { SCAN_MAX } from './reading.ts'

const LIMIT = 10
const OTHER_ROWS_MAX = 50
/** The number of a person with a tenth of the messages. */
const BUSY = '12340'

/** 30,000 messages of an organization in ten channels, and of 500 others one each. A hundredth failed. */
async function startFilled(t: TestContext) {
  const { sql, statements } = await openRecordingPool(t)
  const hub = await startHub(t, { installation: { sql }, hasTimers: false })
  const owner = await hub.person()
  const channelId = newId()
  const idAt = `(lpad(to_hex((extract(epoch from hub_now()) * 1000)::bigint - n * 100), 12, '0')
    || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`
  await hub.sql.unsafe(`
    insert into messages (organization_id, channel_id, id, direction, type, status, recipient, content, error)
    select '${owner.organizationId}',
      case when n % 10 = 0 then '${channelId}' else md5((n % 10)::text)::uuid end, ${idAt},
      case when n % 3 = 0 then 'inbound' else 'outbound' end, 'text',
      case when n % 3 = 0 then 'received' when n % 100 = 1 then 'failed' else 'sent' end, n::text, '{"body":"x"}',
      case when n % 3 <> 0 and n % 100 = 1 then '{"code":131047}'::json end
    from generate_series(1, 30000) n`)
  await hub.sql.unsafe(`
    insert into messages (organization_id, channel_id, id, direction, type, status, content)
    select gen_random_uuid(), gen_random_uuid(), ${idAt}, 'outbound', 'text', 'sent', '{}'
    from generate_series(1, 500) n`)
  await hub.sql.unsafe(`
    insert into contacts (organization_id, channel_id, id, wa_id, name, search_name, reversed_number)
    select organization_id, channel_id, id, recipient, recipient, recipient, reverse(recipient)
    from (select organization_id, channel_id, md5(recipient)::uuid as id, recipient from messages where recipient is not null) m;
    update messages set contact_id = md5(recipient)::uuid where organization_id = '${owner.organizationId}' and recipient <> '${BUSY}';
    update messages set contact_id = md5('${BUSY}')::uuid where organization_id = '${owner.organizationId}' and id::text like '%0'`)
  await hub.sql`vacuum analyze messages, contacts`

  async function explain(query: string, expected = 200) {
    statements.length = 0
    const { status, text } = await owner.get(`/console/messages?limit=${LIMIT}&${query}`)
    assert.equal(status, expected, text)
    const own = statements.filter((statement) => /from (messages|contacts)/.test(statement.text))
    return Promise.all(own.map(async (statement) => ({ ...statement, plan: await explainStatement(sql, statement) })))
  }
  return { explain, channelId }
}

test('a page reads by an index: as many rows as it shows, or a bounded number to look through', {
  rules: ['log.page-is-bounded'],
}, async (t) => {
  const { explain, channelId } = await startFilled(t)
  const exact = [
    '',
    `channel_id=${channelId}`,
    `channel_id=${channelId}&status=failed`,
    `channel_id=${channelId}&status=sent`,
    `channel_id=${channelId}&status=failed,sent`,
    `channel_id=${channelId}&direction=outbound`,
    `channel_id=${channelId}&direction=inbound`,
    'person=5511955500199',
    `person=${BUSY}`,
    `name=${BUSY}`,
    'number_end=2345',
    `channel_id=${channelId}&person=${BUSY}`,
  ]
  const scanned = [
    'status=sent',
    'status=sent,read,failed',
    'direction=inbound',
    'type=absent',
    'template=absent',
    `person=${BUSY}&status=unknown`,
    `channel_id=${channelId}&status=sent&type=absent`,
  ]
  // Few messages have a problem, and an index of their own.
  const problems = ['status=failed', 'status=failed,unknown', 'status=unknown', 'error_code=131047', 'error_code=1']

  for (const [queries, rowsMax] of [
    [exact, LIMIT + OTHER_ROWS_MAX],
    [problems, 400],
    [scanned, SCAN_MAX + OTHER_ROWS_MAX],
  ] as const) {
    for (const query of queries) {
      const reads = await explain(query)
      assert.ok(reads.length >= 1 && reads.length <= 3, `${query}: ${reads.length} statements`)
      for (const { text, plan } of reads) {
        const where = `${query}\n${text}\n${JSON.stringify(plan)}`
        assert.ok(countRowsRead(plan) <= rowsMax, `${countRowsRead(plan)} rows for ${where}`)
        const scans = listNodes(plan).filter((node) => node['Relation Name'] && node['Actual Rows'] > 0)
        for (const scan of scans) assert.match(scan['Node Type'], /^Index (Only )?Scan/, where)
      }
    }
  }

  // A search that too many people match is refused when a few hundred of them were read.
  const [read, ...others] = await explain('name=1', 400)
  assert.equal(others.length, 0)
  assert.ok(read && countRowsRead(read.plan) <= 1000, `${read && countRowsRead(read.plan)} rows`)
})
