import type { Section } from '../../command.js'
import { noAddressObjects } from '../known.js'

/** Everything that is served. */
export const resources: Section = {
  name: 'resources',
  commands: [
    { run: 'kubectl api-versions' },
    { run: 'kubectl api-resources' },
    { run: 'kubectl api-resources -o wide' },
    { run: 'kubectl api-resources --namespaced=false -o name' },
    { run: 'kubectl api-resources --verbs=list,watch,deletecollection --namespaced -o name' },
    { run: 'kubectl api-resources --verbs=create --api-group=authorization.k8s.io -o wide' },
    { run: "kubectl api-resources --api-group='' --sort-by=kind" },
    { run: 'kubectl api-resources --api-group=autoscaling -o wide' },
    { run: 'kubectl api-resources --api-group=storage.k8s.io --no-headers --sort-by=name' },
    { run: 'kubectl api-resources --categories=all' },
    { run: 'kubectl api-resources --categories=api-extensions -o name' },
    { run: 'kubectl api-resources --api-group=policy -o yaml' },
    { run: 'kubectl api-resources --cached --api-group=batch' },
    { run: 'kubectl get clusterroles' },
    { run: 'kubectl get clusterrolebindings -o wide' },
    { run: 'kubectl get roles,rolebindings -A -o wide' },
    { run: 'kubectl get flowschemas,prioritylevelconfigurations' },
    { run: 'kubectl get priorityclasses' },
    { run: 'kubectl get apiservices' },
    { run: 'kubectl get ns,svc,servicecidrs,ipaddresses -A', known: noAddressObjects },
    {
      run: 'kubectl describe svc kubernetes',
      like: [
        /^Labels: +component=apiserver\n +provider=kubernetes\n/m,
        /^IP Family Policy: +SingleStack\nIP Families: +IPv4\nIP: +10\.0\.0\.1\n/m,
        /^Session Affinity: +None\nInternal Traffic Policy: +Cluster\n/m,
      ],
      because: 'where the server listens differs from run to run',
    },
    { run: 'kubectl describe clusterrole view' },
    { run: 'kubectl describe flowschema exempt' },
    { run: 'kubectl describe prioritylevelconfiguration workload-low' },
    { run: 'kubectl get --raw /version | grep -c gitVersion' },
    { run: 'kubectl get nothing', exit: 1 },
  ],
}
