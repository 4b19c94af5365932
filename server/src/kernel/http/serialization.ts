import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

type Print = (value: unknown) => string

const printers = new WeakMap<object, Print>()

/**
 * Compiles a response schema like the framework does, but for the first response
 * that needs it, and once per process for all servers.
 */
export function installSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler<object>(
    ({ schema }) =>
      (value) =>
        loadPrinter(schema)(value),
  )
}

function loadPrinter(schema: object): Print {
  const serialize = printers.get(schema) ?? fastJsonStringify(schema)
  printers.set(schema, serialize)
  return serialize
}
