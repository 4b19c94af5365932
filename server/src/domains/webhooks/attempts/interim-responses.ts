/** More than any chain of proxies sends. Without a limit, a receiver could send them until the deadline. */
const INTERIM_RESPONSES_MAX = 16

/** The limit for the headers of a final response. */
const INTERIM_BYTES_MAX = 16 * 1024

/** One interim response. 101 is not skipped: undici refuses it. */
const INTERIM_RESPONSE = /^[\r\n]*HTTP\/1\.[01] 1(?!01)\d\d[ \r\n].*?\n\r?\n/s
const EXAMPLE = 'HTTP/1.1 100 \r\n\r\n'

const NO_BYTES: Buffer = Buffer.alloc(0)

/**
 * Skips the interim responses (1xx) before a final one. A client must accept them unasked (RFC 9110, 15.2), and some
 * servers send "100 Continue" for every POST, but undici closes the connection at a 100.
 */
export function createInterimResponses() {
  let buffered = NO_BYTES
  let skipped = 0
  let isExpected = false

  return {
    /** To be called before each request: the bytes that follow may be an interim response. */
    expect(): void {
      buffered = NO_BYTES
      skipped = 0
      isExpected = true
    },

    /** False once the final response has begun. */
    isExpected: (): boolean => isExpected,

    /** Returns the bytes of the final response, or an error after too many interim ones. */
    skip(chunk: Buffer): Buffer | Error {
      let bytes = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
      for (let end = findInterimEnd(bytes); end !== 0; end = findInterimEnd(bytes)) {
        if (end === undefined) {
          buffered = bytes
          return NO_BYTES
        }
        if (++skipped > INTERIM_RESPONSES_MAX) return tooManyInterimResponses()
        bytes = bytes.subarray(end)
      }
      isExpected = false
      return bytes
    },
  }
}

/** 0 where `bytes` do not begin with an interim response, undefined where more bytes are needed to decide. */
function findInterimEnd(bytes: Buffer): number | undefined {
  const text = bytes.toString('latin1', 0, INTERIM_BYTES_MAX)
  const response = INTERIM_RESPONSE.exec(text)
  if (response) return response[0].length
  // The bytes may become an interim response if the missing part of an example makes them one.
  const completed = `${text}${EXAMPLE.slice(text.replace(/^[\r\n]+/, '').length)}\r\n\r\n`
  return bytes.length < INTERIM_BYTES_MAX && INTERIM_RESPONSE.test(completed) ? undefined : 0
}

function tooManyInterimResponses(): Error {
  return Object.assign(new Error('The receiver sends too many interim responses'), { code: 'ECONNRESET' })
}
