import { defineConfig } from 'vitest/config'

// Not a project of vitest.config.ts: what needs a real control plane must not run with `npx vitest`. `npm run test:real` starts one.
const conditions = ['steersman-source', 'module', 'import', 'node', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'real',
    include: ['**/*.real.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // One after the other: the files share a server, and controllers of one would tidy up behind the tests of another.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
