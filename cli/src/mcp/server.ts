import { once } from 'node:events'
import { type Hub, HubApiError, HubError } from '@hubline/sdk'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import type { Io } from '../command.ts'
import { CliError } from '../exit-codes.ts'
import { VERSION } from '../version.ts'
import { createNumberWriteTools, NUMBER_READ_TOOLS } from './number-tools.ts'
import { createReadTools } from './read-tools.ts'
import { UNTRUSTED_NOTICE } from './shown.ts'
import type { Permissions, Tool } from './tool.ts'
import { createWriteTools } from './write-tools.ts'

/** The forms of the hub's secrets. No tool returns one; this holds for texts too into which a person has put one. */
const SECRET = /\b(?:hub_[a-z]{2}_|whsec_)[\w-]{8,}/g

type Target = { hub: Hub; url: string }

/** Serves the tools on standard input and output, until the client closes them or a signal ends the program. */
export async function serveTools(
  { hub, url }: Target,
  permissions: Permissions,
  { stdin, stdout, signal }: Io,
): Promise<void> {
  const server = new McpServer({ name: 'hubline', version: VERSION }, { instructions: describeServer(permissions) })
  for (const tool of [...createReadTools(permissions, url), ...NUMBER_READ_TOOLS]) register(server, hub, tool, true)
  const writing = permissions.canWrite ? [...createWriteTools(permissions), ...createNumberWriteTools(permissions)] : []
  for (const tool of writing) register(server, hub, tool, false)
  const closed = Promise.race([once(stdin, 'end'), once(stdin, 'close'), waitForAbort(signal)])
  await server.connect(new StdioServerTransport(stdin, stdout))
  await closed
  await server.close()
}

/** Tells an assistant what it needs before its first call. */
function describeServer({ canWrite, recipients, includesContent }: Permissions): string {
  return [
    'Hubline is a hub for business messaging. A channel is a business phone number, a webhook is an endpoint that receives its events, and a delivery is one event on its way to an endpoint.',
    'Refer to channels and webhooks by id or by name. Start with list_channels or list_webhooks; diagnose_channel reports what does not work and how to fix it. get_hub_status says whether the hub is on hold. Times are in UTC.',
    canWrite
      ? 'test_webhook and replay_delivery make requests to the endpoint. People see a changed username.'
      : 'Every tool only reads.',
    recipients.size > 0
      ? `Messages may be sent to ${[...recipients].join(', ')} only, only their messages marked as read, which they see, and only they blocked or unblocked. Give each reason for a message one idempotency_key, and use the same key when you repeat a call.`
      : 'No tool sends messages, marks them as read or blocks people.',
    includesContent ? UNTRUSTED_NOTICE : 'The content of messages is not shown.',
  ].join('\n')
}

function register(server: McpServer, hub: Hub, { name, description, input, output, run }: Tool, isRead: boolean): void {
  const annotations = { readOnlyHint: isRead, destructiveHint: false, openWorldHint: !isRead }
  // A misspelled argument would otherwise be left out without a word.
  const schemas = { inputSchema: z.strictObject(input), outputSchema: output }
  server.registerTool(name, { description, ...schemas, annotations }, async (args: unknown) => {
    try {
      const text = toRedactedJson(await run(hub, args))
      return { ...toContent(text), structuredContent: JSON.parse(text) as Record<string, unknown> }
    } catch (err) {
      return { ...toContent(toRedactedJson({ error: toShownError(err) })), isError: true }
    }
  })
}

function toRedactedJson(value: object): string {
  return JSON.stringify(value).replace(SECRET, '[redacted]')
}

function toContent(text: string) {
  return { content: [{ type: 'text' as const, text }] }
}

/** `details` may quote what was sent. */
function toShownError(err: unknown): object {
  if (err instanceof HubApiError) {
    const { code, message, requestId } = err
    const isOpen = code === 'SEND_RESULT_UNKNOWN' || code === 'OPERATION_IN_PROGRESS'
    const advice = 'The message may have been sent: look it up with list_messages, and do not use another key.'
    return { code, message, request_id: requestId, ...(isOpen && { advice }) }
  }
  if (err instanceof HubError) return { code: err.code, message: err.message }
  if (err instanceof CliError) return { code: 'REFUSED', message: err.message }
  return { code: 'DEFECT', message: 'This is a defect of the program.' }
}

async function waitForAbort(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
