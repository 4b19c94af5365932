import type { Offboarding } from './service.ts'

export function offboardingJobs(offboarding: Pick<Offboarding, 'deleteDue'>) {
  return [{ name: 'delete-organizations', everySeconds: 60, run: () => offboarding.deleteDue() }]
}
