import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { docsPlugin } from './docs/plugin.ts'

const HUB = process.env.HUBLINE_URL ?? 'http://localhost:8080'

// biome-ignore lint/style/noDefaultExport: Vite reads its configuration from the default export.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), docsPlugin()],
  build: {
    target: 'es2023',
    // Inlined files would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/console', '/openapi.json', '/openapi-console.json'].map((path) => [path, HUB]),
    ),
  },
})
