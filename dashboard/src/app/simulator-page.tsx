import { useSandbox } from '../api/setup.ts'
import { SandboxPage } from '../features/sandbox/sandbox-page.tsx'
import { NotFoundInShell } from './page-states.tsx'

/** Only a sandbox has one. */
export function SimulatorPage() {
  return useSandbox() ? <SandboxPage /> : <NotFoundInShell />
}
