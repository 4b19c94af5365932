export type Page<Item> = { items: Item[]; nextCursor: string | null }

type ReadPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>

/** A list of the hub, which is read page by page, and only as far as it is iterated. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #readPage: ReadPage<Item>

  constructor(readPage: ReadPage<Item>) {
    this.#readPage = readPage
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** The pages themselves. `nextCursor` of one, given as `cursor`, continues later where this ended. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.#readPage(cursor)
      yield page
      if (page.nextCursor === cursor) return
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  /** The first page alone, with one request. */
  firstPage(): Promise<Page<Item>> {
    return this.#readPage(undefined)
  }

  /** Every item of every page. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = []
    for await (const item of this) items.push(item)
    return items
  }
}
