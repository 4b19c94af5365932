import type { Command } from './command.ts'
import { blocked } from './commands/blocked.ts'
import { channels } from './commands/channels.ts'
import { createCompletion } from './commands/completion.ts'
import { connect } from './commands/connect.ts'
import { costs } from './commands/costs.ts'
import { deliveries } from './commands/deliveries.ts'
import { doctor } from './commands/doctor.ts'
import { keys } from './commands/keys.ts'
import { listen } from './commands/listen.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { mcp } from './commands/mcp.ts'
import { messages } from './commands/messages.ts'
import { qrCodes } from './commands/qr-codes.ts'
import { read } from './commands/read.ts'
import { replay } from './commands/replay.ts'
import { retry } from './commands/retry.ts'
import { send } from './commands/send.ts'
import { status } from './commands/status.ts'
import { templates } from './commands/templates.ts'
import { tokens } from './commands/tokens.ts'
import { trigger } from './commands/trigger.ts'
import { usage } from './commands/usage.ts'
import { username } from './commands/username.ts'
import { version } from './commands/version.ts'
import { webhooks } from './commands/webhooks.ts'

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  login,
  logout,
  status,
  doctor,
  version,
  createCompletion(() => COMMANDS),
  channels,
  connect,
  tokens,
  send,
  messages,
  read,
  templates,
  blocked,
  qrCodes,
  username,
  listen,
  trigger,
  webhooks,
  deliveries,
  replay,
  retry,
  keys,
  usage,
  costs,
  mcp,
]
