import { defineConfig } from 'vitest/config'

const conditions = ['steersman-source', 'module', 'import', 'node', 'default']
const resolve = { resolve: { conditions }, ssr: { resolve: { conditions } } }

export default defineConfig({
  test: {
    projects: [
      {
        ...resolve,
        test: {
          name: 'unit',
          // No module has a state of its own, so the files of a worker may share their modules: in half the time.
          pool: 'threads',
          isolate: false,
          include: ['packages/*/src/**/*.test.ts', 'bench/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          testTimeout: 10_000,
        },
      },
      { ...resolve, test: { name: 'e2e', include: ['e2e/src/**/*.test.ts', 'examples/*/src/**/*.test.ts'], testTimeout: 120_000 } },
      // Compares with recorded answers of a real server; recording them is `npm run record`.
      { ...resolve, test: { name: 'differential', include: ['conformance/**/*.test.ts'], exclude: ['**/dist/**'], testTimeout: 30_000 } },
      // Downloads kubectl: run by `npm run test:clients`, not by `npm test`.
      { ...resolve, test: { name: 'clients', include: ['e2e/src/clients/**/*.clients.ts'], testTimeout: 100_000, hookTimeout: 30_000 } },
    ],
  },
})
