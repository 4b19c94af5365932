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
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: { chunkFileNames: ({ facadeModuleId }) => `assets/${nameTexts(facadeModuleId) ?? '[name]'}-[hash].js` },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/console', '/openapi.json', '/openapi-console.json'].map((path) => [path, HUB]),
    ),
  },
})

/** The file of a catalog would be named after its language alone: `texts-es` is that of every page, `page-texts-es-messages` another. */
function nameTexts(path: string | null | undefined): string | undefined {
  const [, catalog, language] = path?.match(/\/locales\/dashboard\/(?:([\w-]+)\/)?([\w-]+)\.ts$/) ?? []
  return catalog ? `page-texts-${language}-${catalog}` : language && `texts-${language}`
}
