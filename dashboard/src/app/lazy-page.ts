import { type ComponentType, createElement, use } from 'react'
import { loadWithTexts } from '../lib/texts.ts'

/** The code of a page could not be loaded: the hub is gone, or has other files by now. */
export class PageCodeError extends Error {
  readonly retry: () => Promise<void>

  constructor(cause: unknown, retry: () => Promise<void>) {
    super('The code of the page could not be loaded', { cause })
    this.retry = retry
  }
}

/**
 * A page whose code is loaded when it is opened. Where that fails, the page shows the error and the browser stays where it is: that of the
 * router would load the address again, and a hub that is gone would leave the browser's own error.
 */
export function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  let page: ComponentType | undefined
  let failure: PageCodeError | undefined
  let loading: Promise<void> | undefined

  async function read(): Promise<void> {
    try {
      page = (await loadWithTexts(load))[name]
    } catch (err) {
      failure = new PageCodeError(err, retry)
    }
    loading = undefined
  }
  function preload(): Promise<void> {
    loading ??= read()
    return loading
  }
  function retry(): Promise<void> {
    failure = undefined
    return preload()
  }
  function LazyPage() {
    if (failure && !page) throw failure
    if (!page) use(preload())
    return page ? createElement(page) : null
  }
  LazyPage.preload = preload
  return LazyPage
}
