import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '../../../server/src/app/config/config.ts'
import { findFreePorts } from '../../ports.ts'
import { readBlocks, splitCommands } from '../blocks.ts'
import { createShell } from '../shell.ts'

const ROOT = join(import.meta.dirname, '../../..')
const texts = readBlocks(ROOT)
  .filter(({ file }) => file.endsWith('self-hosting.md'))
  .map(({ text }) => text)
/** PostgreSQL as Debian installs it, with the programs that the container of the database has. */
const [POSTGRES] = globSync('/usr/lib/postgresql/*/bin/initdb').map((path) => path.replace(/\/initdb$/, ''))

/** The commands of compose on this machine: the database's are programs of PostgreSQL, the hub's are its own. */
const COMPOSE = `
docker() {
  shift
  local action=$1 service
  shift
  [ "$action" = exec ] || return 0
  [ "$1" = -T ] && shift
  service=$1
  shift
  if [ "$service" = hub ]; then (cd '${ROOT}' && '${process.execPath}' server/src/bin/admin.ts "\${@:2}"); else "$@"; fi
}
`
/** They need an image, a public name or Meta. */
const NOT_RUN = /^docker (network|compose build)|^git pull|hub\.example\.com|127\.0\.0\.1:8080|subscribe-app/

function findBlock(pattern: RegExp): string {
  const found = texts.filter((text) => pattern.test(text))
  assert.equal(found.length, 1, `${pattern} fits ${found.length} blocks`)
  return found[0] ?? ''
}

/** `stop` runs before the directory is removed. */
async function newDirectory(t: TestContext, stop: (directory: string) => Promise<unknown> = async () => {}) {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-self-hosting-'))
  t.after(async () => {
    await stop(directory)
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })
  return directory
}

function parseEnv(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
}

test('the .env of the guide starts a hub, and only its owner can read it', async (t) => {
  const cwd = await newDirectory(t)
  const shell = createShell(cwd, { PATH: process.env.PATH ?? '' })

  for (const command of splitCommands(findBlock(/openssl rand/))) {
    assert.equal((await shell.run(command)).code, 0, command)
  }
  const made = parseEnv(await readFile(join(cwd, '.env'), 'utf8'))
  const added = parseEnv(findBlock(/^PUBLIC_URL=/m).replaceAll('…', 'x'.repeat(32)))
  const DATABASE_URL = `postgres://hubline:${made.POSTGRES_PASSWORD}@database:5432/hubline`
  const config = readConfig({ ...made, ...added, DATABASE_URL })

  assert.equal((await stat(join(cwd, '.env'))).mode & 0o777, 0o600)
  assert.equal(config.publicUrl, 'https://hub.example.com')
})

test('compose.yaml has the services, the port and the variables that the guide names', async () => {
  const compose = await readFile(join(ROOT, 'compose.yaml'), 'utf8')

  assert.match(
    compose,
    /^services:\n {2}hub:\n(?: {4}.*\n)+ {2}database:\n(?: {4}.*\n)+volumes:\n {2}database:\n {2}data:\n$/m,
  )
  assert.match(compose, /ports: \['127\.0\.0\.1:8080:8080'\]/)
  assert.match(compose, /POSTGRES_USER: hubline\n +POSTGRES_DB: hubline/)
  for (const name of ['SEALING_KEYS', 'POSTGRES_PASSWORD']) assert.ok(compose.includes(`\${${name}:?`), name)
})

test('the proxies of the guide take large bodies, name the client, and pass streams on', async () => {
  const [caddy, nginx] = [findBlock(/reverse_proxy/), findBlock(/proxy_pass/)]
  const readNumber = (pattern: RegExp) => Number(pattern.exec(nginx)?.[1])

  assert.match(caddy, /reverse_proxy 127\.0\.0\.1:8080 \{\n\s+flush_interval -1\n/)
  assert.match(nginx, /proxy_pass http:\/\/127\.0\.0\.1:8080;/)
  assert.match(nginx, /proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;/)
  assert.match(nginx, /proxy_set_header Host \$host;/)
  assert.match(nginx, /proxy_http_version 1\.1;/)
  assert.ok(readNumber(/client_max_body_size (\d+)m;/) > 100)
  // The upstream has 20 seconds, and a stream is silent for ten.
  assert.ok(readNumber(/proxy_read_timeout (\d+)s;/) > 20)
})

if (!POSTGRES || spawnSync(join(POSTGRES, 'pg_dump'), ['--version']).status !== 0) {
  console.log('NOT RUN: the backup and the restore of the guide, since this machine has no pg_dump')
} else {
  test('a backup of the guide is restored by its commands, with all that was in it', async (t) => {
    const { env, shell, cwd } = await startDatabase(t, POSTGRES)
    const type = async (command: string) => {
      const { code, stdout, output } = await shell.run(`${COMPOSE}\n${command}`)
      assert.equal(code, 0, `${command}: ${output}`)
      return stdout
    }
    const count = async () => Number(await type(`psql -U hubline -At -c 'select count(*) from organizations' hubline`))
    let organizationId = ''
    for (const command of splitCommands(findBlock(/create-organization/))) {
      if (NOT_RUN.test(command)) continue
      const output = await type(command.replace('<organization_id>', organizationId))
      organizationId ||= JSON.parse(output).organization_id
    }

    await type(findBlock(/pg_dump/))
    await type("docker compose exec hub hubline-server create-organization --name 'After the backup'")
    assert.equal(await count(), 2)
    const [dump = ''] = globSync('hubline-*.dump', { cwd })
    for (const command of splitCommands(findBlock(/pg_restore/))) {
      await type(command.replace(/hubline-[\d-]+\.dump/, dump))
    }

    assert.equal(await count(), 1)
    // The restored database is complete: the hub takes it as its own, and opens what is sealed.
    const invitation = await type(
      `docker compose exec hub hubline-server invite --organization ${organizationId} --email rui@example.com --role admin`,
    )
    assert.match(invitation, /invitation_url/)
    assert.ok(env.SEALING_KEYS)
  })
}

/** A PostgreSQL server of this test alone, with the user and the database of compose.yaml. */
async function startDatabase(t: TestContext, bin: string) {
  const run = (program: string, ...args: string[]) => {
    const command = [join(bin, program), ...args]
    // PostgreSQL refuses to run as root.
    const [file = '', ...rest] = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command
    return promisify(execFile)(file, rest, { cwd: '/' })
  }
  const cwd = await newDirectory(t, (directory) =>
    run('pg_ctl', '-D', join(directory, 'database'), '-m', 'immediate', '-w', 'stop'),
  )
  const [port = 0] = await findFreePorts(1)
  const data = join(cwd, 'database')
  await chmod(cwd, 0o777)
  await run('initdb', '-D', data, '-U', 'hubline', '--auth', 'trust', '--no-sync')
  const options = `-p ${port} -k ${cwd} -c listen_addresses=127.0.0.1 -c fsync=off`
  await run('pg_ctl', '-D', data, '-l', join(cwd, 'log'), '-w', '-o', options, 'start')
  await run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'hubline', 'hubline')
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    DATABASE_URL: `postgres://hubline@127.0.0.1:${port}/hubline`,
    DATA_DIR: join(cwd, 'data'),
    SEALING_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  }
  return { cwd, env, shell: createShell(cwd, env) }
}
