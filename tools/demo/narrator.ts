import { stripVTControlCharacters, styleText } from 'node:util'

type Output = { isTTY?: boolean; write: (text: string) => unknown }
type Env = Record<string, string | undefined>
export type Narrator = ReturnType<typeof createNarrator>

/** Prints the story: numbered steps, each with a sentence that explains it, and what happened. No colors on a pipe. */
export function createNarrator(output: Output, env: Env) {
  const isColored = output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  let number = 0
  let title = 'Begin'

  function write(style: Parameters<typeof styleText>[0], text: string): void {
    // Text from a hub may hold sequences that change the terminal.
    const plain = stripVTControlCharacters(text)
    output.write(`${isColored ? styleText(style, plain, { validateStream: false }) : plain}\n`)
  }

  return {
    /** The step that runs, for the message of a failure. */
    current: () => `${number}, "${title}"`,

    step(next: string, explanation: string): void {
      number++
      title = next
      output.write('\n')
      write('bold', `${number}. ${next}`)
      write('dim', `   ${explanation}`)
    },

    /** An event, as a name and a value. */
    show: (name: string, value: string) => write('reset', `   ${name.padEnd(14)}${value}`),

    done: (text: string) => write('green', `   ${text}`),

    fail: (text: string) => write('red', `   ${text}`),
  }
}
