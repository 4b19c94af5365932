import { useHubTexts } from '../lib/hub-texts/hub-texts.ts'

/** Explains an error code of the upstream, and what helps. Undefined for codes that are seldom seen. */
export function useUpstreamErrors(): (code: number | string | null) => { title: string; remedy: string } | undefined {
  const texts = useHubTexts()
  return (code) => (code === null ? undefined : texts?.upstreamErrors[Number(code)])
}
