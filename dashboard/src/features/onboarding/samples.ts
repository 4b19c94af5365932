import { writeCurl, writeProgram } from '../../lib/api-example.ts'

type TextMessage = { to: string; type: 'text'; text: { body: string } }

/** The same call in three languages, each of which works as it stands once HUBLINE_KEY is set. */
export function writeSamples(channelId: string, message: TextMessage): Record<string, string> {
  const path = `/api/v1/channels/${channelId}/messages`
  return {
    curl: writeCurl({ method: 'POST', path, body: message }),
    TypeScript: writeTypeScript(channelId, message),
    Python: writePython(path, message),
  }
}

function writeTypeScript(channelId: string, message: TextMessage): string {
  return writeProgram(`await hub.messages.send('${channelId}', ${JSON.stringify(message, null, 2)})`)
}

function writePython(path: string, message: TextMessage): string {
  return `import os, uuid, requests

requests.post(
    "${location.origin}${path}",
    headers={"Authorization": f"Bearer {os.environ['HUBLINE_KEY']}", "Idempotency-Key": str(uuid.uuid4())},
    json=${JSON.stringify(message)},
).raise_for_status()`
}
