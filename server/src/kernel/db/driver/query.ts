import type { EventEmitter } from 'node:events'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { serialize } from 'pg-protocol'
import { findParser } from './result-types.ts'
import type { Compiled, Row, Rows } from './sql.ts'

/** Statements that one connection keeps prepared. Texts with names of partitions or ranges of ids are new ones for ever. */
const PREPARED_MAX = 1000

const DESCRIBE = serialize.describe({ type: 'P' })
const EXECUTE_AND_SYNC = Buffer.concat([serialize.execute(), serialize.sync()])
const BEGIN = Buffer.concat([serialize.parse({ text: 'begin' }), serialize.bind(), serialize.execute()])

type Column = { name: string; parse: (text: string) => unknown }
/** The columns of each statement that a connection has prepared, by its name, from the longest unused to the last used. */
export type PreparedColumns = Map<string, readonly Column[] | null>

type Field = { name: string; dataTypeID: number }

/** An array whose methods return plain arrays. */
class RowArray extends Array<Row> {
  static override get [Symbol.species]() {
    return Array
  }
  #tag = ''

  /** The server's last word on the statement, such as `INSERT 0 3`. */
  complete(tag: string): void {
    this.#tag = tag
  }
  get command(): string {
    return this.#tag.split(' ', 1)[0] ?? ''
  }
  get count(): number {
    return Number(/\d+$/.exec(this.#tag)?.[0] ?? 0)
  }
}

/** The outcome of a query: its rows, a value that cannot be read, or an error of the server or of the connection. */
export type QueryCallbacks = {
  onRows: (rows: Rows) => void
  onUnreadable: (err: unknown) => void
  onError: (err: unknown) => void
}

/** The types of `pg` do not let a class have the method `submit`. */
const QueryOfPg = pg.Query as unknown as new (text: string) => EventEmitter

/**
 * A statement on a connection of `pg`, which calls the methods `submit` and `handle…`. In place of the query of `pg` itself
 * it asks for the columns of a prepared statement once, and sends the rest of it as one message.
 */
export class Query extends QueryOfPg {
  readonly name: string
  readonly text: string
  readonly #compiled: Compiled
  readonly #prepared: PreparedColumns
  readonly #callbacks: QueryCallbacks
  readonly #begins: boolean
  #columns: readonly Column[] = []
  #rows = new RowArray()
  #unreadable: unknown

  /** `begins`: begins a transaction before the statement. The server skips the statement if it cannot begin one. */
  constructor(
    compiled: Compiled,
    prepared: PreparedColumns,
    { begins, ...callbacks }: QueryCallbacks & { begins: boolean },
  ) {
    super(compiled.prepared.text)
    this.name = compiled.prepared.name
    this.text = compiled.prepared.text
    this.#compiled = compiled
    this.#prepared = prepared
    this.#callbacks = callbacks
    this.#begins = begins
  }

  submit({ stream }: pg.Connection): void {
    const { name, text } = this
    const { isSimple, prepared, values } = this.#compiled
    if (isSimple) {
      stream.write(serialize.query(this.#begins ? `begin; ${text}` : text))
      return
    }
    const columns = this.#prepared.get(name)
    // The messages are written as one. Of a statement that is being prepared the columns are not known yet.
    stream.cork()
    if (this.#begins) stream.write(BEGIN)
    if (columns === undefined) {
      this.#closeOldest(stream)
      // A statement that failed may or may not have been prepared. To close one that was not is no error.
      stream.write(serialize.close({ type: 'S', name }))
      stream.write(serialize.parse({ name, text, types: prepared.types }))
    }
    stream.write(serialize.bind({ statement: name, values }))
    if (!columns) stream.write(DESCRIBE)
    stream.write(EXECUTE_AND_SYNC)
    stream.uncork()
    this.#columns = columns ?? []
    // A statement without a name is gone with the next one.
    if (name === '') return
    this.#prepared.delete(name)
    this.#prepared.set(name, columns ?? null)
  }

  #closeOldest(stream: Writable): void {
    const [oldest] = this.#prepared.keys()
    if (oldest === undefined || this.#prepared.size < PREPARED_MAX) return
    this.#prepared.delete(oldest)
    stream.write(serialize.close({ type: 'S', name: oldest }))
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: findParser(dataTypeID) }))
    this.#rows = new RowArray()
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      const row: Row = {}
      for (let i = 0; i < fields.length; i++) {
        const { name, parse } = this.#columns[i] as Column
        const text = fields[i] as string | null
        row[name] = text === null ? null : parse(text)
      }
      this.#rows.push(row)
    } catch (err) {
      this.#unreadable ??= err
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows.complete(text)
  }

  handleReadyForQuery(): void {
    // Statements that were sent after it may have closed it.
    if (this.#prepared.has(this.name)) this.#prepared.set(this.name, this.#columns)
    if (this.#unreadable) this.#callbacks.onUnreadable(this.#unreadable)
    else this.#callbacks.onRows(this.#rows as unknown as Rows)
  }

  handleError(err: unknown): void {
    this.#prepared.delete(this.name)
    this.#callbacks.onError(err)
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
  /** The server takes what is sent from now on for rows. The hub copies nothing. */
  handleCopyInResponse({ stream }: { stream: Writable }): void {
    stream.destroy()
  }
}
