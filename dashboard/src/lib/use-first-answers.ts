import { useEffect, useState } from 'react'

type Answer = { isLoading: boolean; failureCount: number }

/**
 * True until each of the queries was answered or has failed once, and false from then on. A part of a page that waits for all of
 * them appears where it stays: what came one by one would push down what is below it.
 */
export function useFirstAnswers(...queries: readonly Answer[]): boolean {
  const [isOver, setOver] = useState(false)
  const isWaiting = !isOver && queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0)
  useEffect(() => {
    if (!isWaiting) setOver(true)
  }, [isWaiting])
  return isWaiting
}
