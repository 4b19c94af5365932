/** Something visible in one line, without control characters and without those that change the direction of a text. */
export const ONE_LINE = /^(?=.*\S)[^\p{Cc}\u2028-\u202e\u2066-\u2069]+$/u
