import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkTables, generateTables } from './tables.ts'
import { writeRepository } from './test/repository.ts'

const MIGRATION = 'server/migrations/0001-all.sql'
const SCHEMA = `-- Owner: domains/audit.
create table entries (id uuid);
-- Owner: domains/channels.
create table channels (id uuid);
create unlogged table if not exists "numbers" (id uuid);
create table messages (id uuid) partition by range (id);
create table messages_default partition of messages default;
`
const LIST = {
  'domains/audit': { entries: [] },
  'domains/channels': { channels: [], numbers: [] },
  'domains/messages': { messages: [] },
}

/** Checks a repository in which `path` has the given text. */
function check(t: TestContext, path: string, text: string, list: Record<string, Record<string, string[]>> = LIST) {
  return checkTables(writeRepository(t, { [MIGRATION]: SCHEMA, [path]: text }), list)
}

/** Checks one statement in the store of the lowest domain. */
function checkStatement(t: TestContext, statement: string): string[] {
  return check(t, 'server/src/domains/audit/store.ts', `export const a = (sql) => sql\`${statement}\``)
}

function outcome(verb: string, table: string, line = 1): string {
  const use = `server/src/domains/audit/store.ts:${line} ${verb} ${table}`
  if (verb === 'writes')
    return `${use}, which only its owner, domains/${table === 'messages' ? table : 'channels'}, may.`
  return `${use}, but domains/audit is neither its owner nor one of its readers in TABLES in tools/tables.ts.`
}

test('every table of the repository has an owner, and every statement keeps to the list', () => {
  assert.deepEqual(checkTables(join(import.meta.dirname, '..')), [])
})

test('a join that is added to the lowest domain is found with its file and line', (t) => {
  const found = checkStatement(t, 'select 1\n  from entries e\n  join channels c on c.id = e.id')

  assert.deepEqual(found, [outcome('reads', 'channels', 3)])
})

const READS = [
  'select 1 from CHANNELS',
  'select 1 from "channels" c',
  'select 1 from public.channels',
  'select 1 from only channels',
  'select 1 from entries, channels c',
  'table channels',
  'select 1 from entries where id in (select id from channels) for update',
  'delete from entries e using channels c where c.id = e.id',
  'update entries set id = channels.id from channels',
  'insert into entries (id) select id from channels on conflict (id) do update set id = excluded.id',
  `select \${sql\`1\`} from \${a} b join channels on true`,
  `select 1 \${a ? sql\`from channels\` : sql\`\`}`,
  // A name that may be a table counts as the table.
  'with channels as (select 1) select 2',
  'select channels from entries',
]
for (const statement of READS) {
  test(`a statement reads the table: ${statement}`, (t) => {
    assert.deepEqual(checkStatement(t, statement), [outcome('reads', 'channels')])
  })
}

const WRITES = [
  'insert into channels (id) values (1)',
  'insert into public.channels as c (id) values (1)',
  'update channels set id = 1',
  'update only "channels" c set id = 1',
  'with a as (delete from channels returning id) insert into entries select id from a',
  'delete from only channels',
  'truncate channels',
  'truncate table entries, channels',
  'merge into channels c using entries e on true when matched then delete',
  'copy channels from stdin',
  'lock table channels in exclusive mode',
  'lock entries, channels',
  'alter table if exists channels add column a int',
  'drop table channels',
]
for (const statement of WRITES) {
  test(`a statement writes the table: ${statement}`, (t) => {
    assert.deepEqual(checkStatement(t, statement), [outcome('writes', 'channels')])
  })
}

for (const statement of [
  '-- from channels\n select 1 from entries',
  '/* from channels */ select 1',
  "select 'from channels', 'it''s channels', e'\\\\'channels' from entries",
  'select e.channels from entries e',
  'select count(*) as channels from entries as numbers',
  'select 1 from channels_by_name, my_channels',
  'insert into entries (id) values (1) on conflict (id) do update set id = 2',
]) {
  test(`a statement does not use the table: ${statement}`, (t) => {
    assert.deepEqual(checkStatement(t, statement), [])
  })
}

test('a partition is its table', (t) => {
  assert.deepEqual(checkStatement(t, 'delete from messages_default'), [outcome('writes', 'messages')])
})

for (const text of [
  'export const a = (anyTag) => anyTag<Row[]>`select 1 from channels`',
  "export const a = (sql) => sql.unsafe('select 1 from channels')",
  `export const a = (sql) => sql.unsafe(\`select \${b} from channels\`)`,
]) {
  test(`a statement is found in ${text}`, (t) => {
    assert.deepEqual(check(t, 'server/src/domains/audit/store.ts', text), [outcome('reads', 'channels')])
  })
}

test('a name that a store or a service puts into a statement at run time is a write', (t) => {
  const text = "const TABLES = ['entries', 'channels']\nexport const a = (sql) => deleteTenantRows(sql, TABLES, '1')"

  assert.deepEqual(check(t, 'server/src/domains/audit/service.ts', text), [
    'server/src/domains/audit/service.ts:1 writes channels, which only its owner, domains/channels, may.',
  ])
})

test('a name that stands as the property `table` is a write in every file', (t) => {
  const text = "export const COLUMN = { table: 'channels', column: 'secret' }"

  assert.deepEqual(check(t, 'server/src/domains/audit/secret-place.ts', text), [
    'server/src/domains/audit/secret-place.ts:1 writes channels, which only its owner, domains/channels, may.',
  ])
})

test('a string that is no name of a table in a statement is none', (t) => {
  const text = "type A = 'channels'\nexport const a = (b: A) => b === 'channels'"

  assert.deepEqual(check(t, 'server/src/domains/audit/service.ts', text), [])
  assert.deepEqual(check(t, 'server/src/domains/audit/schemas.ts', "export const A = ['channels']"), [])
  assert.deepEqual(check(t, 'server/src/domains/audit/store.ts', 'export const A = String.raw`from channels`'), [])
})

test('tests read and write every table', (t) => {
  assert.deepEqual(check(t, 'server/src/domains/audit/a.test.ts', 'sql`delete from channels`'), [])
  assert.deepEqual(check(t, 'server/src/domains/audit/test/fixture.ts', 'sql`delete from channels`'), [])
  assert.deepEqual(check(t, 'server/bench/a.ts', 'sql`delete from channels`'), [])
})

const STORE_OF_MESSAGES = 'server/src/domains/messages/store.ts'
const READER = { ...LIST, 'domains/channels': { channels: ['domains/messages'], numbers: [] } }

test('a listed reader reads the table, and does not write it', (t) => {
  assert.deepEqual(check(t, STORE_OF_MESSAGES, 'sql`select 1 from channels`', READER), [])
  assert.deepEqual(check(t, STORE_OF_MESSAGES, 'sql`select 1 from channels`\nsql`delete from channels`', READER), [
    `${STORE_OF_MESSAGES}:2 writes channels, which only its owner, domains/channels, may.`,
  ])
})

test('a listed reader that reads the table no more is refused', (t) => {
  assert.deepEqual(check(t, STORE_OF_MESSAGES, 'sql`select 1 from messages`', READER), [
    'TABLES in tools/tables.ts lets domains/messages read channels, but it does not.',
  ])
})

test('a listed reader that is not above the owner is refused', (t) => {
  const list = { ...LIST, 'domains/channels': { channels: ['domains/audit'], numbers: [] } }

  assert.deepEqual(check(t, 'server/src/domains/audit/store.ts', 'sql`select 1 from channels`', list), [
    'TABLES in tools/tables.ts lets domains/audit read channels of domains/channels, which is not below it.',
  ])
})

test('a table without an owner is found where a migration creates it', (t) => {
  assert.deepEqual(
    check(t, 'server/migrations/0002-more.sql', '-- Owner: domains/audit.\ncreate table gadgets (id uuid);'),
    ['server/migrations/0002-more.sql:2 creates gadgets, which has no owner: add it to TABLES in tools/tables.ts.'],
  )
})

test('a table that was dropped or renamed has to leave the list', (t) => {
  const text = 'drop table entries, numbers;\nalter table messages rename to letters;'

  assert.deepEqual(check(t, 'server/migrations/0002-less.sql', text), [
    `server/migrations/0002-less.sql:2 creates letters, which has no owner: add it to TABLES in tools/tables.ts.`,
    'TABLES in tools/tables.ts has entries, which no migration creates.',
    'TABLES in tools/tables.ts has numbers, which no migration creates.',
    'TABLES in tools/tables.ts has messages, which no migration creates.',
  ])
})

const FUNCTIONS = [
  'create function f() returns int language sql as $$ select 1;\n select count(*) from channels $$;',
  'create or replace function f() returns trigger language plpgsql as $a$ begin;\n perform 1 from channels; end $a$;',
  'create function f() returns int begin atomic select case when true then 1 end;\n select 1 from channels; end;',
  "create procedure f() language plpgsql as $$ begin\n execute 'select 1 from channels'; end $$;",
  'create view f as\n select 1 from channels;',
  'create trigger f after update\n on channels for each row execute function g();',
]
for (const statement of FUNCTIONS) {
  test(`a migration leaves nothing in the database that uses a table: ${statement}`, (t) => {
    const path = 'server/migrations/0002-function.sql'

    assert.deepEqual(check(t, path, `-- Used by channels.\n${statement}\nselect 1;`), [
      `${path}:2 defines what uses channels in the database: a statement on it belongs into a store.`,
    ])
    assert.deepEqual(check(t, path, `${statement.replace('channels', 'b')}\nupdate channels set id = null;`), [])
  })
}

const VERSIONED = 'create function take_1() returns int language plpgsql as $$ begin'
for (const [statements, outcomes] of [
  ['-- Owner: domains/channels\n insert into channels values (1);', []],
  ['-- Owner: domains/channels\n perform 1 from channels;\n -- Owner: domains/audit\n delete from entries;', []],
  [
    'delete from channels;',
    [':2 writes channels, and no comment above the statement names its owner: "-- Owner: domains/channels".'],
  ],
  [
    '-- Owner: domains/audit\n update channels set id = null;',
    [':3 writes channels, which only its owner, domains/channels, may.'],
  ],
  [
    '-- Owner: domains/audit\n perform 1 from channels;',
    [':3 reads channels, but domains/audit is neither its owner nor one of its readers in TABLES in tools/tables.ts.'],
  ],
] as const) {
  test(`a function with a version keeps to the list by the owners that it names: ${statements}`, (t) => {
    const path = 'server/migrations/0002-function.sql'

    assert.deepEqual(
      check(t, path, `${VERSIONED}\n ${statements}\nend $$;`),
      outcomes.map((outcome) => path + outcome),
    )
  })
}

test('a function with a version is never replaced', (t) => {
  const path = 'server/migrations/0002-function.sql'
  const replaced = VERSIONED.replace('create', 'create or replace')

  assert.deepEqual(check(t, path, `${replaced}\n -- Owner: domains/channels\n delete from channels; end $$;`), [
    `${path}:1 defines what uses channels in the database: a statement on it belongs into a store.`,
  ])
})

test('a migration changes rows of any table once', (t) => {
  assert.deepEqual(check(t, 'server/migrations/0002-rows.sql', 'update channels set id = null;'), [])
})

test('the part of the document between its marks is written anew', (t) => {
  const marks = (part: string) => `Before\n<!-- tables: written by a tool -->\n${part}<!-- end of tables -->\nAfter\n`
  const root = writeRepository(t, { 'docs/architecture.md': marks('old\n') })

  const rows = '| `channels` | channels | messages |\n| `numbers` | channels |  |'
  assert.deepEqual(generateTables(root, { 'domains/channels': READER['domains/channels'] }), {
    'docs/architecture.md': marks(`\n| Table | Owner | Readers |\n|---|---|---|\n${rows}\n\n`),
  })
})

test('a document without the marks is refused', (t) => {
  const root = writeRepository(t, { 'docs/architecture.md': '| Table | Owner | Readers |' })

  assert.throws(() => generateTables(root), /docs\/architecture\.md has no part for the tables/)
})
