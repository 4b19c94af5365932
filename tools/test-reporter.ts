import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** The end of a process of tests, for the process that started it. Other lines are for people. */
export const TOTALS_PREFIX = 'totals '

type File = { path: string; passed: number; failed: number; ms: number }

/**
 * One line for each file and each failure as it happens: several processes of tests write to one terminal at the same
 * time, and the lines of one must be readable among those of another.
 */
// biome-ignore lint/style/noDefaultExport: the test runner takes the default export of a reporter
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let file: File | undefined
  for await (const { type, data } of events) {
    if (type === 'test:pass' || type === 'test:fail') {
      const path = relative('.', data.file ?? '')
      if (file?.path !== path) {
        if (file) yield formatFile(file)
        file = { path, passed: 0, failed: 0, ms: 0 }
      }
      if (data.nesting === 0) {
        file.ms += data.details.duration_ms
        file[type === 'test:pass' ? 'passed' : 'failed']++
      }
      if (type === 'test:fail') yield `✖ ${path}: ${data.name}\n${inspect(data.details.error.cause)}\n`
    }
    // A failure after its test has ended sets the exit code, and is no test's failure.
    if (type === 'test:diagnostic' && data.message.startsWith('Error:')) yield `✖ ${data.message}\n`
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message
    if (type === 'test:summary' && data.file === undefined) {
      if (file) yield formatFile(file)
      yield `${TOTALS_PREFIX}${JSON.stringify(data.counts)}\n`
    }
  }
}

function formatFile({ path, passed, failed, ms }: File): string {
  const failures = failed > 0 ? `, ${failed} failed` : ''
  return `${failed > 0 ? '✖' : '✔'} ${path}: ${passed} passed${failures} (${(ms / 1000).toFixed(1)} s)\n`
}
