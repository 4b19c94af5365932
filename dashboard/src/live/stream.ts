import { noteAnswer, noteResponse, SILENCE_MAX_MS } from './contact.ts'

/** Something that changed. It names what to load again and has no content. */
export type LiveEvent = {
  kind: string
  id?: string
  channel_id?: string
  message_id?: string
  delivery_id?: string
  endpoint_id?: string
}

type Handlers = { onOpen: () => void; onEvent: (event: LiveEvent, lastId: string) => void }

/** Reads server-sent events until the stream ends. Rejects where the hub refuses it, or is silent. */
export async function readStream(
  url: string,
  lastId: string,
  signal: AbortSignal,
  { onOpen, onEvent }: Handlers,
): Promise<void> {
  const headers = { accept: 'text/event-stream', ...(lastId !== '' && { 'last-event-id': lastId }) }
  const silence = watchSilence()
  try {
    const response = noteResponse(await fetch(url, { headers, signal: AbortSignal.any([signal, silence.signal]) }))
    if (!response.ok || response.body === null) throw new Error(`The stream was refused with ${response.status}.`)
    onOpen()
    let waiting = ''
    let id = lastId
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      silence.interrupt()
      noteAnswer()
      const blocks = (waiting + text).split('\n\n')
      waiting = blocks.pop() ?? ''
      for (const block of blocks) {
        const fields = parseFields(block)
        id = fields.id ?? id
        if (fields.data !== undefined) onEvent(JSON.parse(fields.data), id)
      }
    }
  } finally {
    silence.end()
  }
}

/** Aborts after too long a silence, and as soon as the browser is offline. */
function watchSilence(): { signal: AbortSignal; interrupt: () => void; end: () => void } {
  const silent = new AbortController()
  const abort = () => silent.abort()
  let timer = setTimeout(abort, SILENCE_MAX_MS)
  addEventListener('offline', abort)
  return {
    signal: silent.signal,
    interrupt() {
      clearTimeout(timer)
      timer = setTimeout(abort, SILENCE_MAX_MS)
    },
    end() {
      clearTimeout(timer)
      removeEventListener('offline', abort)
    },
  }
}

function parseFields(block: string): Record<string, string> {
  return Object.fromEntries(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
  )
}
