import { Visitor } from 'oxc-parser'
import { isTest, readSources } from '../sources.ts'

/** A call of the SDK in a text. */
const CALL = /\bnew Hub\(|\bhub\.\w+\.\w+\(|\bawait verifyWebhook\(/

/** The programs that pages of the dashboard show, with `given` in the place of everything that a page fills in. */
export function readPageSnippets(root: string): string[] {
  const snippets: string[] = []
  const visitor = new Visitor({
    Literal({ value }) {
      if (typeof value === 'string' && CALL.test(value)) snippets.push(value)
    },
    TemplateLiteral({ quasis }) {
      const text = quasis.map(({ value }) => value.cooked).join('given')
      if (CALL.test(text)) snippets.push(text)
    },
  })
  for (const { path, program } of readSources(root, ['dashboard/src'])) {
    if (!path.includes('/generated/') && !isTest(path)) visitor.visit(program)
  }
  return snippets
}
