import { Console } from './generated/console.gen.ts'
import { Resources } from './generated/resources.gen.ts'
import { Requester, type RequesterOptions } from './request.ts'

export type { Console } from './generated/console.gen.ts'
export type * from './generated/console-types.gen.ts'
export type * from './generated/types.gen.ts'

/** A client of the hub for a person who signs in: every resource of `Hub`, and the operations under `/console`. */
export class ConsoleHub extends Resources {
  readonly console: Console

  constructor(options: RequesterOptions) {
    const requester = new Requester(options)
    super(requester)
    this.console = new Console(requester)
  }
}
