import { isObject, toList, toText } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { type Page, readPage } from './paging.ts'

export type BlockedPerson = { wa_id: string | null; user_id: string | null }

/** A person whom a change was asked for, as the request named them. */
type ChangedPerson = BlockedPerson & { person: string }
type FailedPerson = { person: string; code: number | null; title: string | null }

export type BlockListChange = { changed: ChangedPerson[]; failed: FailedPerson[] }

export function createBlockListCalls({ call }: UpstreamClient) {
  const change =
    (method: 'POST' | 'DELETE', name: string) =>
    (token: string, phoneNumberId: string, people: readonly string[]): Promise<Result<BlockListChange>> =>
      call({
        name,
        method,
        to: [phoneNumberId, 'block_users'],
        json: { messaging_product: 'whatsapp', block_users: people.map((user) => ({ user })) },
        token,
        read: readChange,
        readRefused: readChange,
      })

  return {
    list: (
      token: string,
      phoneNumberId: string,
      { limit, after }: { limit: number; after?: string },
    ): Promise<Result<Page<BlockedPerson>>> =>
      call({
        name: 'blockList.list',
        method: 'GET',
        to: [phoneNumberId, 'block_users'],
        query: { limit, after },
        token,
        read: (body) => readPage(body, readPerson),
      }),

    block: change('POST', 'blockList.block'),
    unblock: change('DELETE', 'blockList.unblock'),
  }
}

function readPerson(item: unknown): BlockedPerson | undefined {
  return isObject(item) ? { wa_id: toText(item.wa_id), user_id: toText(item.user_id) } : undefined
}

/** The lists of who was changed and who was not. They come with a success, and beside the error if some people failed. */
function readChange(body: unknown): BlockListChange | undefined {
  const lists = isObject(body) ? body.block_users : undefined
  if (!isObject(lists)) return undefined
  const changed = [...toList(lists.added_users), ...toList(lists.removed_users)].filter(isObject)
  const failed = toList(lists.failed_users).filter(isObject)
  return {
    changed: changed.map((item) => ({
      person: toText(item.input) ?? '',
      wa_id: toText(item.wa_id),
      user_id: toText(item.user_id),
    })),
    failed: failed.map(({ input, errors }) => ({ person: toText(input) ?? '', ...readReason(toList(errors)[0]) })),
  }
}

function readReason(error: unknown): { code: number | null; title: string | null } {
  if (!isObject(error)) return { code: null, title: null }
  const details = isObject(error.error_data) ? toText(error.error_data.details) : null
  return {
    code: Number.isInteger(error.code) ? Number(error.code) : null,
    title: details ?? toText(error.message)?.replace(/^\(#\d+\)\s*/, '') ?? null,
  }
}
