import { tracingChannel } from 'node:diagnostics_channel'

/** Ids, counts and codes, never contents. `error.type` marks a failed operation. */
export type Attributes = Record<string, string | number>

/** One step of work, which is a span of a trace. */
export type Operation = {
  name: string
  kind: 'server' | 'client' | 'internal'
  /** Attributes that are added before the end of the operation are part of its span. */
  attributes: Attributes
  /** The W3C `traceparent` of the client. Otherwise the operation belongs to the one that it runs in. */
  traceparent?: string | undefined
  error?: unknown
}

/** Traces are made from it where they are configured. Without a subscriber an operation is only a call of its function. */
export const operations = tracingChannel<unknown, Operation>('hubline.operation')

/** Runs `work` as an operation. It may add attributes. */
export function trace<T>(
  operation: Pick<Operation, 'name' | 'kind'>,
  work: (attributes: Attributes) => Promise<T>,
): Promise<T> {
  if (!operations.hasSubscribers) return work({})
  const attributes: Attributes = {}
  return operations.tracePromise(() => work(attributes), { ...operation, attributes })
}
