/** The answers of an inspector. With `hang` it never answers, so that the attempt ends at its deadline. */
export const INSPECTOR_ANSWERS = ['200', '500', '410', 'hang'] as const
export type InspectorAnswer = (typeof INSPECTOR_ANSWERS)[number]
