#!/usr/bin/env node
import { Command } from 'commander'
import { writeEnvtestFolder } from '../envtest/index.js'

const program = new Command('steersman').description('Kubernetes operators from the command line.').showHelpAfterError()

program
  .command('envtest')
  .description('Print a folder for KUBEBUILDER_ASSETS, so that Go tests run on the embedded control plane.')
  .option('--folder <path>', 'write the executables there (default: a folder in your cache)')
  .addHelpText(
    'after',
    `
  KUBEBUILDER_ASSETS=$(npx steersman envtest) go test ./...

Built-in controllers are off, as envtest suites expect; STEERSMAN_CONTROLLERS names those that shall run ("all", or names with commas between them).`,
  )
  .action(async ({ folder }: { readonly folder?: string }) => {
    process.stdout.write(`${await writeEnvtestFolder(folder)}\n`)
  })

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
