import type { Json, JsonObject } from '../../json.ts'
import { type Endpoint, SUCCESS } from '../http/call.ts'
import { invalid } from '../http/errors.ts'
import { parseFlag, requireList, requireObjects, requireText } from '../http/parameters.ts'
import { getNumberSettings } from './number-settings.ts'

const PROMPTS_MAX = { count: 4, length: 80 }
const COMMANDS_MAX = { count: 30, name: 32, description: 256 }

/** Lists that are given replace the stored ones. They are read as a field of the number. */
export const setAutomation: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  const changes: JsonObject = {}
  if (params.enable_welcome_message !== undefined) {
    changes.enable_welcome_message = parseFlag(params.enable_welcome_message, 'enable_welcome_message')
  }
  if (params.prompts !== undefined) changes.prompts = parsePrompts(params)
  if (params.commands !== undefined) changes.commands = parseCommands(params)
  const settings = getNumberSettings(graph, phone)
  settings.automation = { ...settings.automation, ...changes }
  return SUCCESS
}

function parsePrompts(params: JsonObject): Json[] {
  const prompts = requireList(params, 'prompts')
  const { count, length } = PROMPTS_MAX
  if (prompts.length > count) throw invalid(`Param prompts must have at most ${count} elements.`)
  for (const [index, prompt] of prompts.entries()) {
    if (typeof prompt !== 'string' || prompt === '' || prompt.length > length) {
      throw invalid(`Param prompts[${index}] must be a string of 1 to ${length} characters.`)
    }
  }
  return prompts
}

function parseCommands(params: JsonObject): JsonObject[] {
  const commands = requireObjects(params, 'commands')
  const { count, name, description } = COMMANDS_MAX
  if (commands.length > count) throw invalid(`Param commands must have at most ${count} elements.`)
  return commands.map((command, index) => ({
    command_name: requireText(command, 'command_name', `commands[${index}]`, name),
    command_description: requireText(command, 'command_description', `commands[${index}]`, description),
  }))
}
