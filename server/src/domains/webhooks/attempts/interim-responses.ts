/** More than any chain of proxies sends. Without a bound, a receiver could send them until the deadline. */
const INTERIM_RESPONSES_MAX = 16

/** An interim response may be as long as the headers of a final one. */
const INTERIM_BYTES_MAX = 16 * 1024

/** How an interim response begins, up to the first digit of its status. */
const BEGINNINGS = ['HTTP/1.1 1', 'HTTP/1.0 1']
const BEGINNING_LENGTH = 10

/** The status line up to the byte after the status. 101 is not skipped: it ends HTTP on the connection. */
const INTERIM_STATUS = /^.{9}1(?!01)\d\d[ \r\n]$/s
const INTERIM_STATUS_LENGTH = 13

const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
const HEADERS_END = /\n\r?\n/
const NO_BYTES: Buffer = Buffer.alloc(0)

/**
 * Skips the interim responses (1xx) before a final one. A client must accept them unasked (RFC 9110, 15.2), and some
 * servers send "100 Continue" for every POST, but undici closes the connection at a 100.
 */
export function createInterimResponses() {
  let held = NO_BYTES
  let skipped = 0
  let isExpected = false

  return {
    /** A request has left, so that the next bytes may be an interim response. */
    expect(): void {
      held = NO_BYTES
      skipped = 0
      isExpected = true
    },

    /** False once the final response has begun: its bytes need not pass through `skip`. */
    isExpected: (): boolean => isExpected,

    /** Returns the bytes of the final response. Throws at an endless row of interim ones. */
    skip(chunk: Buffer): Buffer {
      let bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      for (let end = findInterimEnd(bytes); end !== 0; end = findInterimEnd(bytes)) {
        if (end === undefined) {
          held = bytes
          return NO_BYTES
        }
        if (++skipped > INTERIM_RESPONSES_MAX) throw tooManyInterimResponses()
        bytes = bytes.subarray(end)
      }
      isExpected = false
      return bytes
    },
  }
}

/** 0 where `bytes` do not begin with an interim response, undefined where it takes more bytes to know. */
function findInterimEnd(bytes: Buffer): number | undefined {
  const start = countLineEnds(bytes)
  const statusLine = bytes.toString('latin1', start, start + INTERIM_STATUS_LENGTH)
  if (!BEGINNINGS.some((beginning) => beginning.startsWith(statusLine.slice(0, BEGINNING_LENGTH)))) return 0

  if (statusLine.length === INTERIM_STATUS_LENGTH) {
    if (!INTERIM_STATUS.test(statusLine)) return 0
    const headersEnd = HEADERS_END.exec(bytes.toString('latin1', start, INTERIM_BYTES_MAX))
    if (headersEnd) return start + headersEnd.index + headersEnd[0].length
  }
  return bytes.length < INTERIM_BYTES_MAX ? undefined : 0
}

/** Parsers skip empty lines before a status line (RFC 9112, 2.2). */
function countLineEnds(bytes: Buffer): number {
  let count = 0
  while (bytes[count] === CARRIAGE_RETURN || bytes[count] === LINE_FEED) count++
  return count
}

function tooManyInterimResponses(): Error {
  return Object.assign(new Error('The receiver sends one interim response after another'), { code: 'ECONNRESET' })
}
