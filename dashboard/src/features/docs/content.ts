import type { Language } from '@hubline/locales/languages.ts'

/** The build makes this of the guides and of the description of the API. The pages show it as it is: no text becomes HTML. */

export type Target =
  | { url: string }
  | { guide: string; heading?: string }
  | { operation: string }
  /** A file beside the guides, by its path in the repository. */
  | { file: string }

export type Inline =
  | string
  | { code: string }
  | { strong: Inline[] }
  | { em: Inline[] }
  | { link: Target; text: Inline[] }

/** A value of the reader's hub, in the place of a placeholder. */
export type Filled = 'origin' | 'channel' | 'phone' | 'waba'
export type CodePart = string | { token: 'name' | 'text' | 'literal' | 'comment'; text: string } | { value: Filled }

export type CodeBlock = {
  kind: 'code'
  language: string
  parts: CodePart[]
  /** The operation that the code calls. */
  operation?: string
}

export type Block =
  | { kind: 'heading'; level: number; id: string; text: Inline[] }
  | { kind: 'paragraph'; text: Inline[]; operation?: string }
  | { kind: 'list'; start?: number; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'image'; light: string; dark: string; text: string }
  | CodeBlock

export type Guide = {
  slug: string
  language: Language
  title: string
  blocks: Block[]
  /** The addresses of images and other files, by their paths in the repository. */
  files: Record<string, string>
}

export const GROUPS = ['start', 'messaging', 'webhooks', 'clients', 'operate'] as const
export type Group = (typeof GROUPS)[number]

export type GuideEntry = {
  slug: string
  group: Group
  /** By language: a guide exists in English and in the others that are here. */
  versions: Partial<Record<Language, { title: string; headings: { id: string; title: string }[] }>>
}

export type OperationEntry = { id: string; method: string; path: string; summary: string; tag: string }

/** A schema in words. Objects with a name stand apart, because some contain themselves. */
export type Shape = {
  type: string
  text?: Inline[]
  /** Length, range, pattern and the like. */
  limits?: string[]
  values?: string[]
  object?: string
  fields?: Field[]
  variants?: { label: string; shape: Shape }[]
}
export type Field = { name: string; isRequired: boolean; shape: Shape }

export type Parameter = Field & { place: 'path' | 'query' | 'header' }

export type Operation = OperationEntry & {
  description: Block[]
  scopes: string[]
  credentials: ('apiKey' | 'channelToken')[]
  parameters: Parameter[]
  body?: { isRequired: boolean; contentType: string; shape: Shape; text?: Inline[] }
  answers: { status: string; text: string; shape?: Shape }[]
  errors: { status: string; codes: string[] }[]
  curl?: CodePart[]
  sdk?: CodePart[]
  /** An example of the answer, or of what an event sends. */
  example?: CodePart[]
}

export type Reference = {
  tags: { name: string; text: string }[]
  operations: Operation[]
  /** The named objects. */
  objects: Record<string, Shape>
}

/** A part of a guide below one heading, or an operation. */
export type SearchEntry = { target: Target; title: string; section?: string; text: string }
