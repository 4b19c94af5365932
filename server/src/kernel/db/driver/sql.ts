/** A row of a statement without a type of its own. */
// biome-ignore lint/suspicious/noExplicitAny: the statement alone knows its columns, and its caller states them.
export type Row = Record<string, any>

/** The rows of a statement. `count` is the number of rows that it returned or changed, `command` what it did. */
export type Rows<T extends readonly object[] = Row[]> = T & { readonly count: number; readonly command: string }

/** A value for a json or jsonb column. */
export type Json = null | string | number | boolean | Date | readonly Json[] | { readonly [key: string]: unknown }

type Scalar = null | string | number | bigint | boolean | Date | Uint8Array
/** A template takes a parameter or a part of the statement. Undefined is refused when the statement is sent. */
export type Value = Scalar | undefined | Parameter | Fragment | readonly (Scalar | Fragment)[]

/** Writes statements: a template is a statement or a part of one, and is sent when it is awaited. */
export type Sql = {
  <T extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...values: readonly Value[]): Statement<Rows<T>>
  /** A quoted identifier. A dot separates a schema from its table. */
  (identifier: string): Fragment
  /** Text that is part of the statement as it stands. Sent by itself and without values it may be several statements. */
  unsafe: (text: string, values?: readonly Value[]) => Statement<Rows>
  /** A parameter that is JSON. */
  json: (value: Json) => Parameter
}

/**
 * The caller's transaction. It begins with its first statement, in one round trip, and further ones are sent when it has begun.
 * Those of `reading` are sent at once: they must write nothing, because they would do it without a transaction if it cannot begin.
 */
export type Tx = Sql & { readonly isTransaction: true; readonly reading: Sql }

/** A parameter as the wire takes it. The type is an oid, or 0 to let the statement decide. */
export class Parameter {
  readonly text: string | Buffer | null
  readonly type: number

  constructor(text: string | Buffer | null, type = 0) {
    this.text = text
    this.type = type
  }
}

/** A part of a statement: the strings of its template, or one text, and the values between them. */
export class Fragment {
  readonly strings: TemplateStringsArray | string
  readonly values: readonly Value[]

  constructor(strings: TemplateStringsArray | string, values: readonly Value[] = []) {
    this.strings = strings
    this.values = values
  }
}

type Run = (fragment: Fragment) => Promise<Rows>

/** The place of each template in the sources, taken once: an error of the server has only the stack of the socket. */
const origins = new WeakMap<TemplateStringsArray, { stack?: string }>()

function rememberOrigin(strings: TemplateStringsArray): void {
  if (origins.has(strings)) return
  const origin = {}
  Error.captureStackTrace(origin, rememberOrigin)
  origins.set(strings, origin)
}

/** Gives an error the stack of the template whose statement failed. */
function addOrigin({ strings }: Fragment, error: unknown): void {
  const origin = typeof strings === 'string' ? undefined : origins.get(strings)
  if (!origin?.stack || !(error instanceof Error)) return
  error.stack = `${error.name}: ${error.message}\n${origin.stack.split('\n').slice(2).join('\n')}`
}

/** A fragment that can be sent as it is, once. */
export class Statement<T> extends Fragment implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly #run: Run
  #result: Promise<T> | undefined

  constructor(run: Run, strings: TemplateStringsArray | string, values: readonly Value[]) {
    super(strings, values)
    this.#run = run
  }

  #send(): Promise<T> {
    this.#result ??= this.#run(this).catch((err) => {
      addOrigin(this, err)
      throw err
    }) as Promise<unknown> as Promise<T>
    return this.#result
  }

  /** Sends the statement now, and not when it is awaited. */
  execute(): this {
    void this.#send()
    return this
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is sent when it is awaited.
  then<A = T, B = never>(
    onResult?: ((result: T) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#send().then(onResult, onError)
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#send().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.#send().finally(onEnd)
  }
}

/** A tag whose statements are sent by `run`. */
export function createSql(run: Run): Sql {
  function sql(first: TemplateStringsArray | string, ...values: Value[]): Fragment {
    if (typeof first === 'string') return new Fragment(quoteIdentifier(first))
    rememberOrigin(first)
    return new Statement(run, first, values)
  }
  return Object.assign(sql, {
    unsafe: (text: string, values: readonly Value[] = []) => new Statement<Rows>(run, text, values),
    json: (value: Json) => new Parameter(JSON.stringify(value), JSONB),
  }) as Sql
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`
}

const BOOLEAN = 16
const BYTEA = 17
const BIGINT = 20
const TIMESTAMPTZ = 1184
const JSONB = 3802

/** Encodes a value by its JavaScript type. Only types that PostgreSQL could take for another have an oid. */
function toParameter(value: Exclude<Value, Fragment>, position: number): Parameter {
  if (typeof value === 'string') return new Parameter(value)
  if (value === null) return new Parameter(null)
  if (value === undefined) throw new TypeError(`The value ${position + 1} of a statement is undefined.`)
  if (typeof value === 'boolean') return new Parameter(String(value), BOOLEAN)
  if (typeof value === 'number') return new Parameter(String(value))
  if (typeof value === 'bigint') return new Parameter(String(value), BIGINT)
  if (value instanceof Parameter) return value
  if (value instanceof Date) return new Parameter(value.toISOString(), TIMESTAMPTZ)
  if (value instanceof Uint8Array) return new Parameter(toBuffer(value), BYTEA)
  return new Parameter(formatArray(value as readonly Scalar[]))
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function formatArray(values: readonly Scalar[]): string {
  const elements = values.map((value) => {
    if (value === undefined) throw new TypeError('An element of an array parameter is undefined.')
    return value === null ? 'null' : `"${formatElement(value).replaceAll(/["\\]/g, '\\$&')}"`
  })
  return `{${elements.join(',')}}`
}

function formatElement(value: Exclude<Scalar, null>): string {
  if (value instanceof Date) return value.toISOString()
  return value instanceof Uint8Array ? `\\x${toBuffer(value).toString('hex')}` : String(value)
}

/** The text of a statement, under the name by which each connection prepares it. */
export type Prepared = { name: string; text: string; types: number[] }

/** A statement ready to be sent. Only the text of `unsafe` is not prepared. */
export type Compiled = { prepared: Prepared; isSimple: boolean; values: (string | Buffer | null)[] }

/**
 * A tree of the statements that were sent. The way to one is its templates, in order, with the type of each parameter: to
 * find it costs less than to put its text together and to look that up, which statements of several kB would.
 */
type Node = { next: Map<TemplateStringsArray | string | number, Node>; prepared?: Prepared }

/** Names of partitions and ranges of ids make new texts for ever. */
const NODES_MAX = 20_000

let root: Node = { next: new Map() }
let nodes = 0
let names = 0

/** The parameters of a statement, and its text with the placeholders `$1` to `$n`. */
export function compile(fragment: Fragment): Compiled {
  if (nodes > NODES_MAX) {
    root = { next: new Map() }
    nodes = 0
  }
  const values: (string | Buffer | null)[] = []
  const node = typeof fragment.strings === 'string' ? compileUnsafe(fragment, values) : follow(root, fragment, values)
  node.prepared ??= prepare(fragment)
  return { prepared: node.prepared, isSimple: typeof fragment.strings === 'string' && values.length === 0, values }
}

/** The values of a text have their placeholders in it. */
function compileUnsafe(fragment: Fragment, values: (string | Buffer | null)[]): Node {
  for (const value of fragment.values) values.push(toParameter(value as Scalar, values.length).text)
  return { next: new Map() }
}

function follow(from: Node, { strings, values }: Fragment, encoded: (string | Buffer | null)[]): Node {
  let node = step(from, strings)
  for (const value of values) {
    if (value instanceof Fragment) node = follow(node, value, encoded)
    else if (isFragments(value)) {
      node = step(node, value.length)
      for (const one of value) node = follow(node, one, encoded)
    } else {
      const { text, type } = toParameter(value, encoded.length)
      encoded.push(text)
      node = step(node, -type)
    }
  }
  return node
}

function step(node: Node, key: TemplateStringsArray | string | number): Node {
  const known = node.next.get(key)
  if (known) return known
  const next: Node = { next: new Map() }
  node.next.set(key, next)
  nodes++
  return next
}

function isFragments(value: Value): value is readonly Fragment[] {
  return Array.isArray(value) && value[0] instanceof Fragment
}

function prepare(fragment: Fragment): Prepared {
  const types: number[] = []
  const isUnsafe = typeof fragment.strings === 'string'
  const text = isUnsafe ? (fragment.strings as string) : writeText(fragment, types)
  return { name: isUnsafe ? '' : `hub_${++names}`, text, types }
}

function writeText({ strings, values }: Fragment, types: number[]): string {
  if (typeof strings === 'string') return strings
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) {
    if (value instanceof Fragment) text += writeText(value, types)
    else if (isFragments(value)) text += value.map((one) => writeText(one, types)).join(' ')
    else text += `$${types.push(toParameter(value, types.length).type)}`
    text += strings[index + 1] ?? ''
  }
  return text
}
