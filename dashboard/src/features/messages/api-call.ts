import type { MessageSearch } from './search.ts'

/** The call of the API that lists the same messages. It lists those of one channel and one status, and has no name or end of a number. */
export function describeCall({ channel_id, direction, status, type, person, id }: MessageSearch) {
  const channel = channel_id ?? 'CHANNEL_ID'
  const filter = {
    ...(direction && { direction }),
    ...(status && !status.includes(',') && { status }),
    ...(type && { type }),
    ...(person !== undefined && { person: String(person) }),
    ...(id?.startsWith('wamid.') && { upstream_message_id: id }),
  }
  const query = new URLSearchParams(filter).toString()
  return {
    method: 'GET' as const,
    path: `/api/v1/channels/${channel}/messages${query === '' ? '' : `?${query}`}`,
    sdk:
      query === ''
        ? `for await (const message of hub.messages.list('${channel}')) {\n  console.log(message.id, message.status)\n}`
        : `for await (const message of hub.messages.list('${channel}', ${JSON.stringify(filter)})) {\n  console.log(message.id, message.status)\n}`,
  }
}
