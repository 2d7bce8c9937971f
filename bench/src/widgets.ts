import { Widget } from '@steersman/example-widget/widget'
import { type Client, createClient, customResourceDefinition, discardLogger, systemEnvironment } from 'steersman'
import { CustomResourceDefinition } from 'steersman/api/types/apiextensions/v1'
import { Namespace } from 'steersman/api/types/core/v1'
import { createTransport, loadKubeconfig } from 'steersman/client'
import type { Side } from './measurement.js'
import { pause, type Server, startServer } from './servers.js'

/** The collection of small custom resources, with a schema, that servers are loaded with. */
export const widgets = '/apis/example.com/v1/namespaces/default/widgets'

/** A Widget for the load client, which puts a number into its name. */
export function widgetBody(prefix: string): string {
  return JSON.stringify({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: `${prefix}-{name}` },
    spec: { image: 'widget:1', replicas: 3 },
  })
}

/** A real server serves a new kind a little after it has said that it would. */
const settleMs = 1500

/** Starts a server, defines Widgets and stops it when the work is done. */
export async function withWidgets<T>(side: Side, work: (server: Server) => Promise<T>): Promise<T> {
  const server = await startServer(side)
  try {
    await withClient(server.kubeconfig, (client) => client.create(CustomResourceDefinition, customResourceDefinition(Widget)))
    await pause(settleMs)
    return await work(server)
  } finally {
    await server.stop()
  }
}

export async function createNamespace(kubeconfig: string, name: string): Promise<void> {
  await withClient(kubeconfig, (client) => client.create(Namespace, { metadata: { name } }))
}

async function withClient(kubeconfig: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const transport = createTransport(systemEnvironment, await loadKubeconfig({ path: kubeconfig }))
  try {
    await work(createClient({ environment: systemEnvironment, transport, logger: discardLogger }))
  } finally {
    await transport.close()
  }
}
