/** Errors that every page with a form can have. */
export const en = {
  errors: {
    RATE_LIMITED: ['Too many attempts', 'Wait a while and try again.'],
    ORIGIN_NOT_ALLOWED: ['Open the page again', 'The form did not come from this page. Open the page again and retry.'],
  },
  trouble: ['That did not work', 'Nothing was changed. Wait a moment and try again.'],
  reference: 'Reference',
} as const
