import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { createAppRouter } from './app/router.tsx'
import './app/styles.css'
import { hubTextsQuery } from './lib/hub-texts/hub-texts.ts'
import { currentLanguage } from './lib/languages.ts'
import { loadTexts } from './lib/texts.ts'
import './lib/theme.ts'
import { Toasts } from './ui/states/toasts.tsx'

// Dialogs lock the scrolling of the page with a style of their own, which the content security policy lets in by its nonce.
setNonce(document.querySelector('meta[name=csp-nonce]')?.getAttribute('content') ?? '')

const FONT_WAIT_MS = 1000

/** Lines of another font break elsewhere, and what is below them moves when the font comes. A slow network shows the page without it. */
function fontReady(): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(resolve, FONT_WAIT_MS))
  return Promise.race([document.fonts.load('1em Inter').catch(() => undefined), late])
}

let isLeaving = false
// The browser may have kept the page, and shows it again as it was left.
addEventListener('pageshow', () => {
  isLeaving = false
})

/** Loads another page, so that nothing of this one stays in memory. Of many refused requests, the first one leads there. */
function leaveFor(path: string): void {
  if (isLeaving) return
  isLeaving = true
  location.assign(path)
}

const queryClient = createQueryClient({
  onSessionEnd: () => leaveFor(`/sign-in?return_to=${encodeURIComponent(location.pathname + location.search)}`),
  // Any page then leads to the one that says why: that of the account, or of the verification of the e-mail.
  onSecondFactorRequired: () => !location.pathname.startsWith('/account') && leaveFor('/'),
})
const router = createAppRouter(queryClient)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root.')
await Promise.all([loadTexts(), fontReady()])
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
)
// Errors are then shown in the reader's language at once.
void queryClient.prefetchQuery(hubTextsQuery(currentLanguage()))
