import { isObject, toText } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { readSuccess, type Success } from './success.ts'

/** The public name of a number. Both are null for a number without one. */
export type Username = { username: string | null; status: string | null }

export function createUsernameCalls({ call }: UpstreamClient) {
  return {
    get: (token: string, phoneNumberId: string): Promise<Result<Username>> =>
      call({ name: 'usernames.get', method: 'GET', to: [phoneNumberId, 'username'], token, read: readUsername }),

    set: (token: string, phoneNumberId: string, username: string): Promise<Result<Username>> =>
      call({
        name: 'usernames.set',
        method: 'POST',
        to: [phoneNumberId, 'username'],
        json: { username },
        token,
        read: readUsername,
      }),

    delete: (token: string, phoneNumberId: string): Promise<Result<Success>> =>
      call({ name: 'usernames.delete', method: 'DELETE', to: [phoneNumberId, 'username'], token, read: readSuccess }),
  }
}

function readUsername(body: unknown): Username | undefined {
  return isObject(body) ? { username: toText(body.username), status: toText(body.status) } : undefined
}
