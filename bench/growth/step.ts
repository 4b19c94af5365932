/** A request or a job whose statements are measured together. */
export type Step = { name: string; times: number; run: (i: number) => Promise<unknown> }
