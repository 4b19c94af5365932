import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { collectFile, type Progress } from './collect-file.ts'
import { saveFile } from './save-file.ts'

type FileExport = {
  /** The name of the file before its date, and what is after it. */
  name: string
  extension: string
  request: (signal: AbortSignal) => Promise<Response>
  /** Throws if the file must not be saved. */
  check?: (file: Blob) => Promise<void>
}

/** Loads a file into the page and saves it. It stops with the page, or when the person stops it. */
export function useFileExport({ name, extension, request, check }: FileExport) {
  const [progress, setProgress] = useState<Progress>({ lines: 0, bytes: 0 })
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])
  const run = useMutation({
    async mutationFn() {
      stopping.current = new AbortController()
      setProgress({ lines: 0, bytes: 0 })
      const file = await collectFile(await request(stopping.current.signal), setProgress)
      await check?.(file)
      saveFile(file, `${name}-${new Date().toISOString().slice(0, 10)}.${extension}`)
    },
  })
  const error = stopping.current.signal.aborted ? null : run.error
  return { run, progress, error, stop: () => stopping.current.abort() }
}
