export const en = { free: 'Free', starter: 'Starter', pro: 'Pro' } as const
