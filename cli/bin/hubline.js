#!/usr/bin/env node
// Node 24 runs the sources as they are. The published package has the compiled program.
await import(new URL('../src/bin/hubline.ts', import.meta.url).href)
