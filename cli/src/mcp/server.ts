import { once } from 'node:events'
import { type Hub, HubApiError, HubError } from '@hubline/sdk'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Io } from '../command.ts'
import { CliError } from '../exit-codes.ts'
import { VERSION } from '../version.ts'
import { createReadTools } from './read-tools.ts'
import type { Permissions, Tool } from './tool.ts'
import { createWriteTools } from './write-tools.ts'

/** The forms of the hub's secrets. No tool returns one; this holds for texts too into which a person has put one. */
const SECRET = /\b(?:hub_[a-z]{2}_|whsec_)[\w-]{8,}/g

/** Serves the tools on standard input and output, until the client closes them or a signal ends the program. */
export async function serveTools(hub: Hub, permissions: Permissions, { stdin, stdout, signal }: Io): Promise<void> {
  const server = new McpServer({ name: 'hubline', version: VERSION })
  for (const tool of createReadTools(permissions)) register(server, hub, tool, true)
  if (permissions.canWrite) for (const tool of createWriteTools(permissions)) register(server, hub, tool, false)
  const closed = Promise.race([once(stdin, 'end'), once(stdin, 'close'), waitForAbort(signal)])
  await server.connect(new StdioServerTransport(stdin, stdout))
  await closed
  await server.close()
}

function register(server: McpServer, hub: Hub, { name, description, input, run }: Tool, isRead: boolean): void {
  const annotations = { readOnlyHint: isRead, destructiveHint: false, openWorldHint: !isRead }
  server.registerTool(name, { description, inputSchema: input, annotations }, async (args: unknown) => {
    try {
      return toResult(await run(hub, args))
    } catch (err) {
      return { ...toResult({ error: toShownError(err) }), isError: true }
    }
  })
}

function toResult(value: object) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(value).replace(SECRET, '[redacted]') }] }
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
