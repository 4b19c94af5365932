#!/usr/bin/env node
import { existsSync } from 'node:fs'

// The package has the compiled program, the repository its sources, which Node 24 runs as they are.
const source = new URL('../src/bin/hubline.ts', import.meta.url)
await import(existsSync(source) ? source.href : new URL('../dist/bin/hubline.js', import.meta.url).href)
