/** The customer who writes first in a new chat with a simulated number. */
export const FIRST_CUSTOMER = { phone: '5511955500199', name: 'Ana Beatriz' }
