import { Resources } from './generated/resources.gen.ts'
import { Requester, type RequesterOptions } from './request.ts'

export type HubOptions = RequesterOptions

/**
 * A client of one hub, with one credential. It holds no connection and needs no end; the resources are in
 * `generated/resources.gen.ts`.
 */
export class Hub extends Resources {
  constructor(options: HubOptions) {
    super(new Requester(options))
  }
}
