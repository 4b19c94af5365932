import type { Hub } from '@hubline/sdk'
import type { z } from 'zod'

/** The permissions given by the person who starts the server. */
export type Permissions = {
  canWrite: boolean
  /** The phone numbers, by their digits, and the user ids of the people whom tools may reach. */
  recipients: ReadonlySet<string>
  includesContent: boolean
}

/** Ends the refusal of a recipient who was not allowed. */
export const ALLOWED = 'The allowed recipients are those given with --allow-to.'

/** One tool. Its result is an object that is shown to an assistant, so it names what it shows member by member. */
export type Tool = {
  name: string
  description: string
  input: z.ZodRawShape
  output: z.ZodRawShape
  run: (hub: Hub, args: unknown) => Promise<object>
}

/** Gives the arguments of `run` the types of the input, against which the protocol's server has checked them. */
export function defineTool<Shape extends z.ZodRawShape>(tool: {
  name: string
  description: string
  input: Shape
  output: z.ZodRawShape
  run: (hub: Hub, args: z.infer<z.ZodObject<Shape>>) => Promise<object>
}): Tool {
  return { ...tool, run: (hub, args) => tool.run(hub, args as z.infer<z.ZodObject<Shape>>) }
}
