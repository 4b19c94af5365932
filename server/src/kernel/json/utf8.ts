/** Throws for bytes that are not UTF-8. Shared: creating a decoder takes longer than decoding a usual body. */
export const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true })
