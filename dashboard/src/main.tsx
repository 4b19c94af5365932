import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { createAppRouter } from './app/router.tsx'
import './app/styles.css'
import './lib/theme.ts'
import { Toasts } from './ui/states/toasts.tsx'

// Dialogs lock the scrolling of the page with a style of their own, which the content security policy lets in by its nonce.
setNonce(document.querySelector('meta[name=csp-nonce]')?.getAttribute('content') ?? '')

// Nothing of an ended session stays in memory: the browser loads another page.
const queryClient = createQueryClient({
  onSessionEnd: () => location.assign(`/sign-in?return_to=${encodeURIComponent(location.pathname + location.search)}`),
  // The account page says why, and is the one page that still works.
  onSecondFactorRequired: () => location.pathname !== '/account' && location.assign('/account'),
})
const router = createAppRouter(queryClient)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
)
