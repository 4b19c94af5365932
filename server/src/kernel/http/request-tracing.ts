import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Operation, operations } from '../tracing.ts'

/** Makes each request an operation, named by the pattern of its route: a path can contain a one-time link. */
export function installRequestTracing(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!operations.hasSubscribers) return done()
    const operation = describeRequest(request)
    // Also for a client that disconnects.
    reply.raw.once('close', () => {
      addOutcome(operation, request, reply)
      operations.asyncEnd.publish(operation)
    })
    operations.start.runStores(operation, done)
  })
}

function describeRequest(request: FastifyRequest): Operation {
  const { method, headers, id } = request
  const route = request.is404 ? undefined : request.routeOptions.url
  const { traceparent } = headers
  return {
    name: route ? `${method} ${route}` : method,
    kind: 'server',
    attributes: { 'http.request.method': method, 'hubline.request_id': id, ...(route && { 'http.route': route }) },
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  }
}

function addOutcome({ attributes }: Operation, request: FastifyRequest, reply: FastifyReply): void {
  if (!reply.raw.writableFinished) {
    attributes['error.type'] = 'disconnected'
    return
  }
  attributes['http.response.status_code'] = reply.statusCode
  if (request.errorCode) attributes['hubline.error_code'] = request.errorCode
  if (reply.statusCode >= 500) attributes['error.type'] = request.errorCode ?? String(reply.statusCode)
}
