import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span } from '@opentelemetry/api'
import type { Logger } from '../kernel/logger.ts'
import { type Operation, operations } from '../kernel/tracing.ts'

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Short, because a collector that does not respond delays the stop of the hub for as long. */
const EXPORT_TIMEOUT_MS = 3000

type Options = { endpoint: string; serviceName: string; logger: Logger }

/**
 * Exports the operations of this process as spans, over OTLP/HTTP. What is not yet exported is exported when it is
 * disposed. OpenTelemetry is loaded here only, so that a hub without traces does not load it.
 */
export async function startTracing({ endpoint, serviceName, logger }: Options): Promise<AsyncDisposable> {
  const [api, { BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const KINDS = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, internal: api.SpanKind.INTERNAL }
  const warn = (problem: string) => logger.warn({ problem }, 'traces could not be exported')
  const ignore = () => undefined
  api.diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, api.DiagLogLevel.WARN)
  const url = `${endpoint}/v1/traces`
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }) }),
    ],
  })
  const tracer = provider.getTracer('hubline')
  const current = new AsyncLocalStorage<Span>()
  const spans = new WeakMap<Operation, Span>()

  function findParent({ traceparent }: Operation): Context {
    const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
    if (traceId && spanId && flags) {
      const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
      return api.trace.setSpanContext(api.ROOT_CONTEXT, remote)
    }
    const span = current.getStore()
    return span ? api.trace.setSpan(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT
  }

  function startSpan(operation: Operation): Span {
    const span = tracer.startSpan(operation.name, { kind: KINDS[operation.kind] }, findParent(operation))
    spans.set(operation, span)
    return span
  }

  function endSpan(message: unknown): void {
    const operation = message as Operation
    const span = spans.get(operation)
    if (!span) return
    const { attributes, error } = operation
    span.setAttributes(attributes)
    if (error !== undefined) span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
    if (error !== undefined || attributes['error.type'] !== undefined)
      span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end()
  }

  operations.start.bindStore(current, startSpan)
  operations.asyncEnd.subscribe(endSpan)
  return {
    async [Symbol.asyncDispose]() {
      operations.start.unbindStore(current)
      operations.asyncEnd.unsubscribe(endSpan)
      await provider.shutdown().catch((err: unknown) => logger.warn({ err }, 'traces could not be exported'))
      api.diag.disable()
    },
  }
}
