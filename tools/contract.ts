import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Expression, Visitor } from 'oxc-parser'
import { findLine, readSources, type Source } from './sources.ts'

/** One row of docs/contract.md. An open rule has no test yet. */
type Rule = { id: string; line: number; isOpen: boolean }

/** One mention of a rule in the options of a test. */
type Proof = { id: string; path: string; line: number }

type ContractReport = { errors: string[]; total: number; proven: number; open: string[] }

const CONTRACT = 'docs/contract.md'
const RULE_ROW = /^\|\s*([A-Z][A-Z0-9]*-\d{2,3})\s*\|\s*(.+?)\s*\|$/
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
  const proven = new Set(proofs.map(({ id }) => id))
  return [
    ...rules.filter(isRepeated).map(({ id, line }) => `${CONTRACT}:${line} uses the id ${id} again.`),
    ...rules
      .filter(({ id, isOpen }) => !isOpen && !proven.has(id))
      .map(({ id, line }) => `${CONTRACT}:${line} rule ${id} is named by no test.`),
    ...rules
      .filter(({ id, isOpen }) => isOpen && proven.has(id))
      .map(({ id, line }) => `${CONTRACT}:${line} rule ${id} says ${OPEN}, but a test names it.`),
    ...proofs
      .filter(({ id }) => !known.has(id))
      .map(({ id, path, line }) => `${path}:${line} names ${id}, which is no rule of ${CONTRACT}.`),
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
        for (const element of property.value.elements) {
          if (element?.type !== 'Literal') throw new Error(`${path}: rules must be a list of literals`)
          proofs.push({ id: String(element.value), path, line: findLine(text, element.start) })
        }
      }
    },
  }).visit(program)
  return proofs
}

function isTestCall(callee: Expression): boolean {
  if (callee.type === 'Identifier') return ['test', 'it'].includes(callee.name)
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'test'
}
