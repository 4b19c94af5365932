declare module 'node:test' {
  namespace test {
    interface TestOptions {
      /** Ids of the rules of docs/contract.md that this test proves. `npm run check` reads them. */
      rules?: readonly string[]
    }
  }
}

export {}
