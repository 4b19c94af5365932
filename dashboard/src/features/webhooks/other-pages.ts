import type { LinkProps } from '@tanstack/react-router'

/** The page of the messages, by its address: it is another feature's. */
export function toMessages(open?: string): LinkProps {
  return { to: '/messages', search: open === undefined ? {} : { open } } as unknown as LinkProps
}
