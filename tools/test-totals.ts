import type { TestEvent } from 'node:test/reporters'

/** A reporter for the run as a whole: the counts of one process of tests, as JSON. */
// biome-ignore lint/style/noDefaultExport: the test runner takes the default export of a reporter
export default async function* totals(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file === undefined) yield `${JSON.stringify(data.counts)}\n`
  }
}
