import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { nextTick } from 'node:process'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import pg from 'pg'
import { breakableDatabase } from '../../../test/breakable-database.ts'
import { testDatabase } from '../../../test/database.ts'
import type { Connection, ConnectionLost } from './driver/connection.ts'
import {
  afterCommit,
  connectBeside,
  isDatabaseUnavailable,
  openPool,
  type Pool,
  readSqlState,
  runTransaction,
  type Sql,
  type Tx,
} from './pool.ts'

const ROUNDS = 2
const STATEMENTS = 25

/** Creates a table whose unique constraint is checked at the commit. */
async function createDeferredTable(sql: Pool): Promise<void> {
  await sql`create table if not exists deferred (n int unique deferrable initially deferred)`
  await sql`delete from deferred`
}

test('afterCommit calls its functions once, in order, when the transaction is visible to other connections', async () => {
  const { sql } = await testDatabase()
  await createDeferredTable(sql)
  const seen: Promise<number>[] = []
  const count = async () => (await sql`select n from deferred`).length

  const called: string[] = []
  const result = await sql.begin(async (tx) => {
    afterCommit(tx, () => void seen.push(count()))
    afterCommit(tx, () => void called.push('second'))
    await tx`insert into deferred values (1)`
    called.push('in the transaction')
    return 'its result'
  })

  assert.equal(result, 'its result')
  assert.deepEqual(called, ['in the transaction', 'second'])
  assert.deepEqual(await Promise.all(seen), [1])
})

test('afterCommit calls nothing when the transaction rolls back', async () => {
  const { sql } = await testDatabase()
  const called: string[] = []

  const rolledBack = sql.begin(async (tx) => {
    afterCommit(tx, () => void called.push('after'))
    throw new Error('rolled back')
  })

  await assert.rejects(rolledBack, /rolled back/)
  assert.deepEqual(called, [])
})

test('afterCommit calls nothing when a statement failed, even if its error was caught', async () => {
  const { sql } = await testDatabase()
  const called: string[] = []

  const rolledBack = sql.begin(async (tx) => {
    afterCommit(tx, () => void called.push('after'))
    await tx`select 1 / 0`.catch(() => undefined)
    await tx`select 1`
  })

  await assert.rejects(rolledBack)
  assert.deepEqual(called, [])
})

test('a transaction with a value that could not be sent or read commits nothing, even if the error was caught', async () => {
  const { sql } = await testDatabase()
  await createDeferredTable(sql)
  const failing = [
    (tx: Sql) => tx`select ${undefined}`,
    (tx: Sql) => tx`select 'infinity'::timestamptz`,
    async (tx: Sql) => {
      await tx`savepoint before`
      await tx`select 1 / 0`.catch(() => undefined)
      await tx`rollback to before`
      await tx`select ${undefined}`
    },
  ]

  for (const fail of failing) {
    const rolledBack = sql.begin(async (tx) => {
      await tx`insert into deferred values (1)`
      await fail(tx).catch(() => undefined)
    })
    await assert.rejects(rolledBack, /undefined|outside the range/)
  }

  assert.equal((await sql`select n from deferred`).length, 0)
})

test('a transaction whose last statements are committed behind them commits all of them or nothing', async () => {
  const { sql } = await testDatabase()
  await createDeferredTable(sql)
  const lasts: Record<string, (tx: Sql) => Promise<unknown>> = {
    'all work': (tx) => Promise.all([tx`insert into deferred values (2)`, tx`insert into deferred values (3)`]),
    'the first fails': (tx) => Promise.all([tx`select 1 / 0`, tx`insert into deferred values (4)`]),
    'the last fails': (tx) => Promise.all([tx`insert into deferred values (5)`, tx`select 1 / 0`]),
    'one cannot be sent': (tx) => Promise.all([tx`insert into deferred values (6)`, tx`select ${undefined}`]),
    'the commit fails': (tx) => Promise.all([tx`insert into deferred values (1)`]),
  }
  const called: string[] = []
  await sql`insert into deferred values (1)`

  for (const [what, last] of Object.entries(lasts)) {
    for (const isBegun of [true, false]) {
      const committed = sql.begin(
        async (tx) => {
          afterCommit(tx, () => void called.push(what))
          if (isBegun) await tx`delete from deferred where n > 1`
          return tx
        },
        async (tx) => last(tx),
      )
      if (what === 'all work' && isBegun) await committed
      else await assert.rejects(committed, what)
    }
  }

  assert.deepEqual(called, ['all work'])
  assert.deepEqual([...(await sql`select n from deferred order by n`)], [{ n: 1 }, { n: 2 }, { n: 3 }])
})

test('a transaction whose first statement fails runs no other one, and its connection goes on without it', async () => {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 1, name: 'first statements' })
  await createDeferredTable(sql)
  const firsts = [
    (tx: Tx) => tx`select 1 / 0`,
    (tx: Tx) => tx.unsafe('select 1 / 0'),
    (tx: Tx) => tx.reading`select 1 / 0`,
  ]

  for (const first of firsts) {
    const failed = sql.begin((tx) => Promise.all([first(tx), tx`insert into deferred values (1)`]))
    await assert.rejects(failed, /division by zero/)
    await assert.rejects(
      sql.begin((tx) => first(tx).catch(() => tx`insert into deferred values (1)`)),
      /division by zero/,
    )
    await sql`insert into deferred values (7)`
    const [row] =
      await sql`select pg_current_xact_id_if_assigned() as transaction, array(select n from deferred) as found`
    await sql`delete from deferred`
    assert.deepEqual({ ...row }, { transaction: null, found: [7] })
  }
  await sql.end()
})

test('a statement that waits for the first one is not sent once its transaction is over', async () => {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 1, name: 'waiting statements' })
  await createDeferredTable(sql)

  const failed = sql.begin((tx) =>
    Promise.all([
      tx`select pg_sleep(0.01)`,
      tx`insert into deferred values (1)`,
      Promise.reject(new Error('failed meanwhile')),
    ]),
  )
  await assert.rejects(failed, /failed meanwhile/)
  let late: Promise<unknown> | undefined
  await sql.begin((tx) => {
    const first = tx`select pg_sleep(0.01)`.execute()
    late = Promise.all([first, tx`insert into deferred values (2)`])
    late.catch(() => {})
  })
  await assert.rejects(late ?? Promise.resolve(), /a transaction that is over/)

  assert.deepEqual([...(await sql`select n from deferred`)], [])
  await sql.end()
})

test('a transaction that could not begin fails, even if the error of its first statement was caught', async (t) => {
  const { sql } = await testDatabase()
  const connection = await connectBeside(sql, 'beginning')
  t.after(() => connection.end())
  const refuse = () => connection.sql`select 1 / 0`
  const run: Connection['run'] = (compiled, options) => (options?.begins ? refuse() : connection.run(compiled))
  const called: string[] = []

  const failed = runTransaction({ ...connection, run }, async (tx) => {
    afterCommit(tx, () => void called.push('after'))
    await tx`select 1`.catch(() => {})
  })

  await assert.rejects(failed, /division by zero/)
  assert.deepEqual(called, [])
})

test('statements of a transaction, the first of them and what only reads, see each other', async () => {
  const { sql } = await testDatabase()
  await createDeferredTable(sql)

  const [, read, later] = await sql.begin((tx) =>
    Promise.all([
      tx`insert into deferred values (1)`,
      tx.reading`select n from deferred`,
      tx`insert into deferred values (2) returning (select count(*)::int from deferred)`,
    ]),
  )
  const none = await sql.begin(async () => 'nothing')

  assert.deepEqual([[...read], [...later], none], [[{ n: 1 }], [{ count: 1 }], 'nothing'])
})

test('afterCommit calls nothing when the commit itself fails', async () => {
  const { sql } = await testDatabase()
  await createDeferredTable(sql)
  const called: string[] = []

  const refused = sql.begin(async (tx) => {
    afterCommit(tx, () => void called.push('after'))
    await tx`insert into deferred values (1), (1)`
    called.push('all statements done')
  })

  await assert.rejects(refused, { code: '23505' })
  assert.deepEqual(called, ['all statements done'])
})

test('afterCommit calls only the functions of transactions that commit, with several at the same time', async () => {
  const { sql } = await testDatabase()
  const called: number[] = []
  const numbers = Array.from({ length: 8 }, (_, index) => index)

  const ends = await Promise.allSettled(
    numbers.map((number) =>
      sql.begin(async (tx) => {
        afterCommit(tx, () => void called.push(number))
        await tx`select pg_sleep(0)`
        if (number % 2 === 1) throw new Error('rolled back')
      }),
    ),
  )

  assert.deepEqual(
    ends.map(({ status }) => status),
    numbers.map((number) => (number % 2 === 1 ? 'rejected' : 'fulfilled')),
  )
  assert.deepEqual(called.toSorted(), [0, 2, 4, 6])
})

test('afterCommit does not call a function again for the next transaction of the connection', async () => {
  const { sql } = await testDatabase()
  const called: string[] = []

  await sql.begin(async (tx) => afterCommit(tx, () => void called.push('first')))
  for (let count = 0; count < 20; count++) await sql.begin(async (tx) => void (await tx`select 1`))

  assert.deepEqual(called, ['first'])
})

// An empty result instead of an error would mean "no such row" to the caller.
test('a statement whose connection is lost rejects, and never resolves to an empty result', async (t) => {
  const database = await breakableDatabase(t)
  const outcomes = { rows: 0, failures: 0, empty: 0 }

  async function runStatements(): Promise<void> {
    for (let i = 0; i < STATEMENTS; i++) {
      await database.sql`select ${i}::int as number`.then(
        (rows) => {
          outcomes[rows.length === 1 && rows[0]?.number === i ? 'rows' : 'empty'] += 1
        },
        () => {
          outcomes.failures += 1
        },
      )
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    const running = Promise.all(Array.from({ length: 6 }, runStatements))
    await database.restore()
    await running
  }
  await database.sql`select 1`

  assert.equal(outcomes.empty, 0)
  assert.ok(outcomes.rows > 0 && outcomes.failures > 0, JSON.stringify(outcomes))
})

test('a connection that is lost before its statement was sent delays no statement after it', async (t) => {
  const sockets: Socket[] = []
  const onSocket = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
  subscribe('net.client.socket', onSocket)
  t.after(() => unsubscribe('net.client.socket', onSocket))
  const { sql } = await breakableDatabase(t, { max: 1 })
  const ends: unknown[] = []

  for (let round = 0; round < 4; round++) {
    await sql`select 1`.catch((err) => ends.push((err as ConnectionLost).code))
    await setImmediate()
    const lost = sql`select 2`.catch((err) => ends.push((err as ConnectionLost).code))
    await new Promise<void>((resolve) => nextTick(resolve))
    for (const socket of sockets) socket.destroy()
    await lost
  }

  assert.deepEqual(ends, Array(4).fill('CONNECTION_CLOSED'))
})

test('a result is whole after a statement that failed between its rows, in the pool and in a transaction', async () => {
  const { target } = await testDatabase()
  const sql = openPool(target, { max: 1, name: 'one connection' })
  const fail = (on: Sql) => on`select 12 / (3 - n) from generate_series(1, 9) n`.catch(readSqlState)
  const read = async (on: Sql) => [...(await on`select n from generate_series(1, 2) n`)].map(({ n }) => n)

  const results = [
    await fail(sql),
    await read(sql),
    ...(await Promise.all([fail(sql), read(sql)])),
    await sql.begin(async (tx) => {
      await tx`savepoint before`
      await fail(tx)
      await tx`rollback to before`
      return read(tx)
    }),
  ]
  await sql.end()

  assert.deepEqual(results, ['22012', [1, 2], '22012', [1, 2], [1, 2]])
})

test('a transaction rejects with the error of the statement that failed, whichever of them is awaited', async () => {
  const { sql } = await testDatabase()

  const failed = sql.begin(async (tx) => {
    const [first, second] = [tx`select 1 / 0`.execute(), tx`select 2`.execute()]
    first.catch(() => {})
    await second
  })

  await assert.rejects(failed, (err) => readSqlState(err) === '22012')
  const failedBefore = sql.begin(async (tx) => {
    await tx`select 1`
    const statements = [tx`select 1 / 0`, ...[3, 4].map((n) => tx`select ${n}::int`)].map((one) => one.execute())
    for (const one of statements) one.catch(() => {})
    // It was to be prepared with the one before it.
    await statements[2]
  })

  await assert.rejects(failedBefore, (err) => readSqlState(err) === '22012')
})

test('a new connection sends only what it was opened for', async () => {
  const { target } = await testDatabase()
  const sent: string[] = []
  const sql = openPool(target, { max: 1, name: 'one connection', onStatement: (text) => void sent.push(text) })

  await sql`select 1`
  await sql.end()

  assert.deepEqual(sent, ['select 1'])
})

test('a connection compiles no statement, and has one plan for each', async () => {
  const { sql } = await testDatabase()

  const settings = await sql`
    select name, setting
    from pg_settings
    where name in ('jit', 'plan_cache_mode', 'enable_seqscan')
    order by name`

  assert.deepEqual(
    settings.map(({ name, setting }) => [name, setting]),
    [
      ['enable_seqscan', 'off'],
      ['jit', 'off'],
      ['plan_cache_mode', 'force_generic_plan'],
    ],
  )
})

test('arrays keep their elements, as parameters and in results', async () => {
  const { sql } = await testDatabase()
  const texts = ['', 'null', 'a,b', '{c}', '"', '\\', ' d ', 'e\nf', '🦊']
  const [id, other] = ['0198a1b2-0000-7000-8000-000000000001', '0198a1b2-0000-7000-8000-000000000002']
  const time = '2026-01-02T03:04:05.678Z'

  const [row] = await sql`
    select ${texts}::text[] as texts, ${[]}::text[] as none, ${[id, other]}::uuid[] as ids,
      ${[]}::uuid[] as no_ids, array[null, ${id}::uuid] as some_ids,
      ${[1, -2]}::int[] as numbers, ${[true, false]}::boolean[] as flags, ${[time]}::timestamptz[] as times,
      array[null, 'a'] as nulls, array[1.5::float8] as fractions, array['{"a":[1]}'::jsonb] as documents,
      array['\\x00ff'::bytea] as bytes`

  assert.deepEqual(Object.values(row ?? {}), [
    texts,
    [],
    [id, other],
    [],
    [null, id],
    [1, -2],
    [true, false],
    [time],
    [null, 'a'],
    [1.5],
    [{ a: [1] }],
    [Buffer.from([0, 255])],
  ])
})

test('a blocked statement delays no other one, and a transaction neither', async () => {
  const { sql: holder, target } = await testDatabase()
  const sql = openPool(target, { max: 2, name: 'two connections' })
  const held = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = holder.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(1)`
    isHeld.resolve()
    await held.promise
  })
  await isHeld.promise

  const blocked = sql`select pg_advisory_lock(1)`.execute()
  const others = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      n % 3 === 0 ? sql.begin((tx) => tx`select ${n}::int as n`) : sql`select ${n}::int as n`,
    ),
  )
  held.resolve()
  await Promise.all([blocked, holding])
  await sql.end()

  assert.deepEqual(
    others.map(([row]) => row?.n),
    others.map((_, n) => n),
  )
})

test('work on connections that have become silent fails, and they are replaced', async (t) => {
  const { sql, silence } = await breakableDatabase(t, { max: 2, statementTimeoutMs: 600 })
  const countConnections = async () =>
    (
      await sql`
        select pid
        from pg_stat_activity
        where datname = current_database()
          and application_name = 'hub behind a proxy'`
    ).length
  await Promise.all([sql`select 1`, sql.begin((tx) => tx`select 1`)])
  assert.equal(await countConnections(), 2)

  silence()
  const [lostStatement, lostTransaction, waited] = await Promise.allSettled([
    sql`select 2 as n`.execute(),
    sql.begin((tx) => tx`select 2 as n`),
    setImmediate().then(() => sql`select 3 as n`),
  ])

  for (const lost of [lostStatement, lostTransaction]) {
    assert.ok(lost.status === 'rejected' && isDatabaseUnavailable(lost.reason), inspect(lost))
  }
  assert.ok(waited.status === 'fulfilled' && waited.value[0]?.n === 3, inspect(waited))
})

test('a statement that takes long, but no longer than it may, keeps its connection', async (t) => {
  const { sql } = await breakableDatabase(t, { max: 1, statementTimeoutMs: 600 })

  const [{ before } = {}] = await sql`select pg_backend_pid() as before`
  const slow = await sql`select pg_sleep(5)`.catch(readSqlState)
  const [{ after } = {}] = await sql`select pg_backend_pid() as after`

  assert.equal(slow, '57014')
  assert.equal(before, after)
})

test('a full disk is found in the error of a server in any language', { rules: ['database.full-disk-is-503'] }, () => {
  const build = (file: string) =>
    Object.assign(
      new pg.DatabaseError('não pôde estender arquivo: Não há espaço disponível no dispositivo', 0, 'error'),
      {
        code: 'XX000',
        file,
      },
    )

  assert.equal(isDatabaseUnavailable(build('md.c')), true)
  assert.equal(isDatabaseUnavailable(build('heapam.c')), false)
})
