import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Expression, Visitor } from 'oxc-parser'
import { findLine, readSources, type Source } from './sources.ts'

/** One row of docs/contract.md. An open rule has no test yet. */
type Rule = { id: string; line: number; isOpen: boolean }

/** The rules that the options of one test name. */
type Proof = { ids: string[]; path: string; line: number }

type ContractReport = { errors: string[]; total: number; proven: number; open: string[] }

const CONTRACT = 'docs/contract.md'
/** A row whose first cell is one word. The heads of the tables are several words, and their lines are dashes. */
const RULE_ROW = /^\|\s*([^\s|-][^\s|]*)\s*\|\s*(.+?)\s*\|$/
/** Topic, dot, what the rule says: `send.same-key-sends-once`. */
const RULE_ID = /^[a-z]+\.[a-z0-9]+(?:-[a-z0-9]+)*$/
const ID_LENGTH_MAX = 50
/** A test that names more rules does not fail for each of them alone. */
const RULES_OF_A_TEST_MAX = 3
const OPEN = '**Open.**'

/** Holds the rules of the contract against the tests that name them. */
export function checkContract(root: string): ContractReport {
  const rules = parseRules(readFileSync(join(root, CONTRACT), 'utf8'))
  const tests = readSources(root, ['server', 'simulator', 'sdk', 'cli', 'dashboard', 'tools'])
  const open = rules.filter((rule) => rule.isOpen).map((rule) => rule.id)
  const errors = compareRules(
    rules,
    tests.filter(({ path }) => /\.(?:test|page|pooler)\.ts$/.test(path)).flatMap(findProofs),
  )
  return { errors, total: rules.length, proven: rules.length - open.length, open }
}

export function parseRules(markdown: string): Rule[] {
  return markdown.split('\n').flatMap((text, index) => {
    const [, id, rule] = RULE_ROW.exec(text) ?? []
    return id && rule ? [{ id, line: index + 1, isOpen: rule.startsWith(OPEN) }] : []
  })
}

export function compareRules(rules: Rule[], proofs: Proof[]): string[] {
  const known = new Set(rules.map(({ id }) => id))
  const proven = new Set(proofs.flatMap(({ ids }) => ids))
  return [
    ...rules
      .filter(({ id }) => !RULE_ID.test(id) || id.length > ID_LENGTH_MAX)
      .map(
        ({ id, line }) =>
          `${CONTRACT}:${line} has the id ${id}. An id is "topic.what-it-says", in lower case and at most ${ID_LENGTH_MAX} characters.`,
      ),
    ...rules.filter(isRepeated).map(({ id, line }) => `${CONTRACT}:${line} uses the id ${id} again.`),
    ...rules
      .filter(({ id, isOpen }) => !isOpen && !proven.has(id))
      .map(({ id, line }) => `${CONTRACT}:${line} rule ${id} is named by no test.`),
    ...rules
      .filter(({ id, isOpen }) => isOpen && proven.has(id))
      .map(({ id, line }) => `${CONTRACT}:${line} rule ${id} says ${OPEN}, but a test names it.`),
    ...proofs
      .filter(({ ids }) => ids.length > RULES_OF_A_TEST_MAX)
      .map(
        ({ ids, path, line }) =>
          `${path}:${line} names ${ids.length} rules. Name the ${RULES_OF_A_TEST_MAX} it proves.`,
      ),
    ...proofs.flatMap(({ ids, path, line }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${path}:${line} names ${id}, which is no rule of ${CONTRACT}.`),
    ),
  ]
}

function isRepeated({ id }: Rule, index: number, rules: Rule[]): boolean {
  return rules.findIndex((other) => other.id === id) !== index
}

/** The rules in the options of `test(…)`, `it(…)` and `t.test(…)`. A skipped test proves nothing. */
export function findProofs({ path, text, program }: Source): Proof[] {
  const proofs: Proof[] = []
  new Visitor({
    CallExpression({ callee, arguments: [, options] }) {
      if (!isTestCall(callee) || options?.type !== 'ObjectExpression') return
      for (const property of options.properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== 'rules')
          continue
        if (property.value.type !== 'ArrayExpression') throw new Error(`${path}: rules must be a list of literals`)
        const ids = property.value.elements.map((element) => {
          if (element?.type !== 'Literal') throw new Error(`${path}: rules must be a list of literals`)
          return String(element.value)
        })
        proofs.push({ ids, path, line: findLine(text, property.start) })
      }
    },
  }).visit(program)
  return proofs
}

function isTestCall(callee: Expression): boolean {
  if (callee.type === 'Identifier') return ['test', 'it'].includes(callee.name)
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'test'
}
