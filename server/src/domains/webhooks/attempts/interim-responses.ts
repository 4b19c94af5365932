const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const DIGIT_0 = 0x30
const DIGIT_1 = 0x31
const DIGIT_2 = 0x32

/** Where the status stands in `HTTP/1.1 100 Continue`. */
const STATUS_AT = 9
const STATUS_END = STATUS_AT + 3

/**
 * A client must skip a "100 Continue" that it did not ask for (RFC 9110, 15.2), as some proxies send it. undici skips
 * every interim response except this one, at which it ends the connection: so it gets to see a 102 instead. Works in
 * place, on a response however it is cut into pieces, and looks at no byte after the first digit of a final status.
 */
export function createInterimResponses() {
  /** Bytes of the status line that were seen, counted up to the end of its status. */
  let seen = 0
  let isContinue = false
  let lineFeeds = 0
  let isFinal = false

  function step(byte: number): number {
    if (seen === STATUS_END) {
      skipHeaders(byte)
    } else if (seen > 0 || (byte !== LINE_FEED && byte !== CARRIAGE_RETURN)) {
      if (seen === STATUS_AT) isFinal = byte !== DIGIT_1
      if (seen === STATUS_AT + 1) isContinue = byte === DIGIT_0
      seen++
      if (seen === STATUS_END && isContinue && byte === DIGIT_0) return DIGIT_2
    }
    return byte
  }

  /** An interim response ends at its first empty line, and another status line follows. */
  function skipHeaders(byte: number): void {
    if (byte === LINE_FEED) lineFeeds++
    else if (byte !== CARRIAGE_RETURN) lineFeeds = 0
    if (lineFeeds < 2) return
    seen = 0
    lineFeeds = 0
  }

  return {
    /** A request has left; what comes next is a status line. */
    expect(): void {
      seen = 0
      lineFeeds = 0
      isFinal = false
    },

    renumber(bytes: Buffer): void {
      for (let index = 0; index < bytes.length && !isFinal; index++) bytes[index] = step(bytes[index] ?? 0)
    },
  }
}
