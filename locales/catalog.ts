/** `files_one` and `files_other` are the plural forms of `files`. */
export type TextKey<Key> = Key extends `${infer Name}_${'one' | 'other'}` ? Name : Key

/** The names of the `{{parameters}}` of a text. */
export type ParameterName<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never

type Containing<Name> = Name extends string ? (name: `${string}{{${Name}}}${string}`) => void : never

/** A string that contains every parameter of the English text. */
type Translated<Text> = [ParameterName<Text>] extends [never]
  ? string
  : Containing<ParameterName<Text>> extends (text: infer Text) => void
    ? Text
    : never

/**
 * The translation of an English catalog: the same keys, and in each text the same `{{parameters}}`. The form for one may
 * leave its number out.
 */
export type Catalog<English> = {
  readonly [Key in keyof English]: English[Key] extends string
    ? Key extends `${string}_one`
      ? string
      : Translated<English[Key]>
    : Catalog<English[Key]>
}

/** The translations of English catalogs that are loaded apart from each other. */
export type PageCatalogs<English extends Record<string, () => Promise<unknown>>> = {
  readonly [Name in keyof English]: () => Promise<Catalog<Awaited<ReturnType<English[Name]>>>>
}
