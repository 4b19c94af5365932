import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

type Print = (value: unknown) => string

const printers = new WeakMap<object, Print>()

/**
 * As the framework does it, but a schema is compiled for the first answer that
 * needs it, and once for the process, however many servers are made of it.
 */
export function installSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler<object>(
    ({ schema }) =>
      (value) =>
        printerOf(schema)(value),
  )
}

function printerOf(schema: object): Print {
  const made = printers.get(schema) ?? fastJsonStringify(schema)
  printers.set(schema, made)
  return made
}
