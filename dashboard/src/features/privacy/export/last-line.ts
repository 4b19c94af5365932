/** Longer than the last line of any export. */
const TAIL_BYTES = 4096

/** Returns true if the last line of an export says that the file is whole. A connection may break between two lines. */
export async function isWhole(file: Blob): Promise<boolean> {
  const tail = await file.slice(-TAIL_BYTES).text()
  const last = tail.trimEnd().split('\n').at(-1) ?? ''
  return last.startsWith('{"type":"end",')
}
