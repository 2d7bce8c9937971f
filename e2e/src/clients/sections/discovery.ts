import type { Section } from '../command.js'

const kinds = 'Namespace|Pod|ConfigMap|Secret|Service|ServiceAccount|Node|Event|Lease|Deployment|ReplicaSet|CustomResourceDefinition'

/** What a server says of itself, before anything is installed. */
export const discovery: Section = {
  name: 'discovery',
  commands: [
    // What follows the numbers says which server it is.
    { run: "kubectl version | sed -E 's/(Server Version: v[0-9.]+).*/\\1/'" },
    { run: 'kubectl cluster-info' },
    { run: 'kubectl get --raw /healthz' },
    { run: 'kubectl get --raw /livez' },
    { run: 'kubectl get --raw /readyz' },
    { run: 'kubectl get --raw /nowhere', exit: 1 },
    { run: 'kubectl get --raw /api/v1/namespaces/default/configmaps/missing', exit: 1 },
    { run: "kubectl api-versions | grep -xE 'v1|(apps|apiextensions.k8s.io|coordination.k8s.io|events.k8s.io)/v1'" },
    { run: `kubectl api-resources | grep -wE 'NAME|${kinds}' | grep -v metrics.k8s.io` },
    { run: `kubectl api-resources --namespaced=false | grep -E 'NAME|v1 .* (${kinds})$'` },
    { run: 'kubectl api-resources --api-group=apps -o name | grep -E "deployments|replicasets"' },
    { run: 'kubectl api-resources --api-group=apps -o wide | grep -E "NAME|deployments|replicasets"' },
    { run: 'kubectl api-resources --api-group=apiextensions.k8s.io -o wide' },
    { run: 'kubectl api-resources --api-group=nowhere.example.com' },
    { run: 'kubectl get namespaces' },
    { run: 'kubectl get ns default -o yaml' },
    { run: 'kubectl get nodes' },
    { run: 'kubectl get all' },
    { run: 'kubectl get svc kubernetes -o wide' },
    { run: 'kubectl get pods' },
    { run: 'kubectl get pods -A' },
    { run: 'kubectl get deployments,replicasets -n nowhere' },
    { run: 'kubectl get gizmos', exit: 1 },
    { run: 'kubectl get wd', exit: 1 },
    { run: 'kubectl get pods.example.com', exit: 1 },
    { run: 'kubectl create -f hello.yaml', exit: 1 },
    { run: 'kubectl explain widget', exit: 1 },
    { run: 'kubectl get crd' },
  ],
}
