/** Rewrites one line of the terminal. Elsewhere, as in a file, nothing is shown. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr) {
  const write = (text: string) => void (stream.isTTY && stream.write(`\r\x1b[2K${text}`))
  return { show: (text: string) => write(`  ${text}`), clear: () => write('') }
}
