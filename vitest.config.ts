import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['steersman-source', 'module', 'import', 'node', 'default'] },
  ssr: { resolve: { conditions: ['steersman-source', 'module', 'import', 'node', 'default'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 10_000,
  },
})
