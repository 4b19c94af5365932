import { createConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { toText } from '../../kernel/json/values.ts'
import { parseRange } from '../../upstream/files/byte-range.ts'
import type { PassthroughCall } from '../../upstream/resources/passthrough.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { TEMPLATE_QUERY } from './allowlist.ts'
import { type Answer, fileAnswer, jsonAnswer } from './answer.ts'
import type { Asking, Visit } from './asking-service.ts'
import { accountFields, plainFields } from './fields.ts'
import { NUMBER_FIELDS, PROFILE_FIELDS, TEMPLATE_FIELDS } from './known-fields.ts'
import { pageAt, rewritePage, withoutPages } from './rewriting.ts'

/** A page of a few hundred templates is longer than any other answer. */
const PAGE_BYTES_MAX = 8 * 1024 * 1024

/** Each holds a connection on either side for as long as its reader likes. */
const DOWNLOADS_AT_ONCE_MAX = 64

type Dependencies = { asking: Asking; upstream: Upstream; publicUrl: string }

export function createReading({ asking, upstream, publicUrl }: Dependencies) {
  const concurrency = createConcurrencyLimit(DOWNLOADS_AT_ONCE_MAX, 'downloads of a channel')
  const addressOf = (...path: string[]) => [publicUrl, 'upstream', ...path].join('/')

  async function read(
    visit: Visit,
    question: Omit<PassthroughCall, 'method' | 'to'> & { edge?: string },
  ): Promise<Answer> {
    const { edge, ...rest } = question
    const to = edge === undefined ? [visit.id] : [visit.id, edge]
    const { text, exact } = await asking.ask(visit, { ...rest, method: 'GET', to })
    return jsonAnswer(text.includes('paging') ? JSON.stringify(withoutPages(exact)) : text)
  }

  /** Asked for in the name of another number, a file is not there. */
  function refuseOtherNumber({ query, credential }: Visit): void {
    const named = query.phone_number_id
    if (named !== undefined && named !== credential.phoneNumberId) throw notFound('Resource')
  }

  return {
    readNumber: (visit: Visit) =>
      read(visit, { name: 'facade.number', query: { fields: plainFields(visit.query.fields, NUMBER_FIELDS) } }),

    readProfile: (visit: Visit) =>
      read(visit, {
        name: 'facade.profile',
        edge: 'whatsapp_business_profile',
        query: { fields: plainFields(visit.query.fields, PROFILE_FIELDS) },
      }),

    readAccount: (visit: Visit) =>
      read(visit, { name: 'facade.account', query: { fields: accountFields(visit.query.fields) } }),

    async listTemplates(visit: Visit): Promise<Answer> {
      const fields = plainFields(visit.query.fields, TEMPLATE_FIELDS)
      const { exact } = await asking.ask(visit, {
        name: 'facade.templates',
        method: 'GET',
        to: [visit.id, 'message_templates'],
        query: { ...visit.query, fields },
        responseBytesMax: PAGE_BYTES_MAX,
      })
      const page = pageAt(addressOf(visit.id, 'message_templates'), TEMPLATE_QUERY)
      return jsonAnswer(JSON.stringify(rewritePage(exact, page)))
    },

    async readMedia(visit: Visit): Promise<Answer> {
      refuseOtherNumber(visit)
      const { exact } = await asking.ask(visit, { ...MEDIA_NODE, to: [visit.id], query: visit.query })
      const node = 'url' in exact ? { ...exact, url: addressOf(visit.id, 'content') } : exact
      return jsonAnswer(JSON.stringify(withoutPages(node)))
    },

    /** The address of a file lives for minutes, so it is asked for anew each time. */
    async downloadMedia(visit: Visit): Promise<Answer> {
      using held = new DisposableStack()
      const place = held.use(concurrency.acquire(visit.channelId))
      const { body } = await asking.ask(visit, { ...MEDIA_NODE, to: [visit.id] })
      const address = toText(body.url)
      if (address === null) throw new AppError('UPSTREAM_UNAVAILABLE', 'The upstream did not say where the file is.')
      const options = { range: parseRange(visit.range), signal: visit.gone }
      const result = await upstream.downloads.open(visit.credential.token, address, options)
      const answer = fileAnswer(await asking.valueIn(visit, result))
      // From here on the file has the place, to its end or to that of its reader.
      if (typeof answer.body !== 'string') answer.body.once('close', () => place[Symbol.dispose]())
      held.move()
      return answer
    },
  }
}

const MEDIA_NODE = { name: 'facade.media', method: 'GET' } as const
