export const SHOWN = ['all', 'deliveries', 'api', 'callbacks'] as const
export type Shown = (typeof SHOWN)[number]

export type SandboxSearch = {
  channel?: string
  /** The phone number of the customer: a number, so that the address has no quotes around it. */
  customer?: number
  show?: Exclude<Shown, 'all'>
  /** The open row of the stream. */
  row?: string
}

export function parseSandboxSearch(search: Record<string, unknown>): SandboxSearch {
  const channel = toText(search.channel)
  const customer = toText(search.customer) ?? ''
  const show = SHOWN.find((value) => value !== 'all' && value === search.show) as SandboxSearch['show']
  const row = toText(search.row)
  return {
    ...(channel && { channel }),
    ...(/^[1-9]\d{6,14}$/.test(customer) && { customer: Number(customer) }),
    ...(show && { show }),
    ...(row && { row }),
  }
}

/** The router reads digits as a number. */
function toText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
