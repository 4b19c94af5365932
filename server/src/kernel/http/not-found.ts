import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { addSyncHook } from './sync-hook.ts'

/** A person sees this page at an unknown path in place of the error that a program gets. */
export type NotFoundPage = {
  isFor: (request: FastifyRequest) => boolean
  send: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/** Responds 404 for an unknown path, and 405 for a path that exists with other methods. */
export function installNotFound(app: FastifyInstance, page?: NotFoundPage): void {
  const methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const entry = methodsByPath.get(url) ?? { pattern: pathPattern(url), methods: new Set<string>() }
    for (const name of [method].flat()) entry.methods.add(name)
    methodsByPath.set(url, entry)
  })

  function findMethods(request: FastifyRequest): Set<string> | undefined {
    const [path = ''] = request.url.split('?')
    return [...methodsByPath.values()].find(({ pattern }) => pattern.test(path))?.methods
  }

  function refuse(request: FastifyRequest, reply: FastifyReply): never {
    const methods = findMethods(request)
    if (!methods) throw new AppError('NOT_FOUND', 'path_not_found')
    const allowed = [...methods].sort().join(', ')
    reply.header('Allow', allowed)
    throw new AppError('METHOD_NOT_ALLOWED', 'method_not_allowed', { parameters: { methods: allowed } })
  }

  function findPage(request: FastifyRequest): NotFoundPage | undefined {
    return page?.isFor(request) && !findMethods(request) ? page : undefined
  }

  app.setNotFoundHandler(
    (request, reply) => findPage(request)?.send(request, reply.code(404)) ?? refuse(request, reply),
  )
  // Before the body is read: the path or method is wrong regardless of the body.
  addSyncHook(app, 'onRequest', (request, reply) => {
    if (request.is404 && !findPage(request)) refuse(request, reply)
  })
}

function pathPattern(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z]+/g, '[^/]+').replace(/\\\*$/, '.*')}$`)
}
