import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Tells a path that does not exist (404) from one that exists for other methods (405). */
export function installNotFound(app: FastifyInstance): void {
  const methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const entry = methodsByPath.get(url) ?? { pattern: pathPattern(url), methods: new Set<string>() }
    for (const name of [method].flat()) entry.methods.add(name)
    methodsByPath.set(url, entry)
  })

  function refuse(request: FastifyRequest, reply: FastifyReply): never {
    const [path = ''] = request.url.split('?')
    const methods = [...methodsByPath.values()].find(({ pattern }) => pattern.test(path))?.methods
    if (!methods) throw new AppError('NOT_FOUND', 'There is nothing at this path.')
    const allowed = [...methods].sort().join(', ')
    reply.header('Allow', allowed)
    throw new AppError('METHOD_NOT_ALLOWED', `This path takes ${allowed}.`)
  }

  app.setNotFoundHandler(refuse)
  // Before the body is read: where nothing takes it, what is wrong with it does not matter.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) refuse(request, reply)
  })
}

function pathPattern(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z]+/g, '[^/]+').replace(/\\\*$/, '.*')}$`)
}
