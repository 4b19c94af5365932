/** A header carries it, so that other characters would be changed on the way, or refused. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e](?:[\x20-\x7e]{6,198})[\x21-\x7e]$/
export const IDEMPOTENCY_KEY_FORM = '8 to 200 ASCII characters, such as order-4711'
