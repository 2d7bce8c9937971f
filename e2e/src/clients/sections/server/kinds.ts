import type { Command, Known, Section } from '../../command.js'
import { emptyListIsChange } from '../known.js'
import { statuses } from './statuses.js'

const namespaced = [
  'configmaps',
  'controllerrevisions',
  'cronjobs',
  'csistoragecapacities',
  'daemonsets',
  'deployments',
  'endpoints',
  'endpointslices',
  'events',
  'events.v1.events.k8s.io',
  'horizontalpodautoscalers',
  'horizontalpodautoscalers.v1.autoscaling',
  'ingresses',
  'jobs',
  'leases',
  'limitranges',
  'networkpolicies',
  'persistentvolumeclaims',
  'podcertificaterequests',
  'poddisruptionbudgets',
  'pods',
  'podtemplates',
  'replicasets',
  'replicationcontrollers',
  'resourceclaims',
  'resourceclaimtemplates',
  'resourcequotas',
  'rolebindings',
  'roles',
  'secrets',
  'serviceaccounts',
  'services',
  'statefulsets',
  'buoys',
] as const

const clusterScoped = [
  'certificatesigningrequests jane',
  'clusterrolebindings admiral',
  'clusterroles admiral command',
  'clustertrustbundles anchors',
  'csidrivers',
  'csinodes',
  'customresourcedefinitions buoys.sea.example.com',
  'deviceclasses',
  'devicetaintrules',
  'flowschemas ferry',
  'ingressclasses',
  'ipaddresses 192.0.2.77',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'namespaces every',
  'nodes',
  'persistentvolumes',
  'priorityclasses high',
  'prioritylevelconfigurations ferry',
  'resourceslices',
  'runtimeclasses',
  'servicecidrs more',
  'storageclasses',
  'storageversionmigrations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
  'volumeattachments',
  'volumeattributesclasses',
] as const

/** Kinds that are listed only. */
const notDescribed: readonly string[] = ['events.v1.events.k8s.io', 'horizontalpodautoscalers.v1.autoscaling', 'buoys']

const describes: readonly Command[] = [
  ...namespaced.filter((kind) => !notDescribed.includes(kind)).map((kind) => ({ run: `kubectl describe ${kind} -n every` })),
  ...clusterScoped.map((kind) => ({ run: `kubectl describe ${kind}` })),
]

const files = ['kinds/core.yaml', 'kinds/apps.yaml', 'kinds/other.yaml', 'kinds/admission.yaml'] as const

/** Every kind through patches that change nothing but the annotation of kubectl. `differs`: why `diff` shows something there and not here. */
function appliedAgain(file: string, differs?: Known): readonly Command[] {
  return [
    { run: `kubectl apply -f ${file} --dry-run=server` },
    { run: `kubectl apply -f ${file} 2> /dev/null` },
    { run: `kubectl apply -f ${file}` },
    differs === undefined ? { run: `kubectl diff -f ${file}` } : { run: `kubectl diff -f ${file}`, exit: 1, known: differs },
  ]
}

/** One object of every kind, and more where a kind shows itself in several ways: created, listed, described, deleted. */
export const kinds: Section = {
  name: 'kinds',
  commands: [
    { run: `kubectl create ${files.map((file) => `-f ${file}`).join(' ')} --dry-run=client -o name` },
    { run: 'kubectl create -f kinds/core.yaml' },
    { run: 'kubectl create -f kinds/apps.yaml' },
    { run: 'kubectl create -f kinds/other.yaml' },
    { run: 'kubectl wait --for=condition=Established crd/buoys.sea.example.com --timeout=10s' },
    { run: 'kubectl create -f kinds/admission.yaml --as=captain --as-group=system:masters' },
    ...namespaced.map((kind) => ({ run: `kubectl get ${kind} -n every -o wide` })),
    ...clusterScoped.map((kind) => ({ run: `kubectl get ${kind} -o wide` })),
    { run: 'kubectl get all -n every' },
    ...statuses,
    { run: 'kubectl get all,ing,pvc,hpa,pdb,quota,csr,nodes,pv,volumeattachments -n every -o wide' },
    { run: 'kubectl get all -n every -o name' },
    { run: 'kubectl get pods,services -A --no-headers -o wide' },
    { run: 'kubectl get deploy,rs -n every -L app --show-labels' },
    ...describes,
    ...appliedAgain('kinds/core.yaml'),
    // The refusal holds a difference of Go structures.
    { run: 'kubectl replace -f kinds/core.yaml 2> /dev/null', exit: 1 },
    ...appliedAgain('kinds/apps.yaml'),
    { run: 'kubectl replace -f kinds/apps.yaml', exit: 1 },
    ...appliedAgain('kinds/other.yaml'),
    { run: 'kubectl replace -f kinds/other.yaml' },
    ...appliedAgain('kinds/admission.yaml', emptyListIsChange),
    { run: 'kubectl replace -f kinds/admission.yaml' },
    { run: 'kubectl create -f kinds/api-service.yaml' },
    {
      run: 'kubectl describe apiservice v1.far.example.com',
      like: [/^Name: +v1\.far\.example\.com$/m, /^ +Insecure Skip (?:Tls |TLS)Verify: +true$/m],
      because: 'its availability is looked at in rounds',
    },
    { run: 'kubectl delete -f kinds/api-service.yaml' },
    { run: 'kubectl delete -f kinds/admission.yaml' },
    { run: 'kubectl delete pvc cargo pv/hold -n every', exit: 1 },
    { run: 'kubectl delete pvc/cargo -n every --wait=false' },
    { run: 'kubectl delete pv/hold --wait=false' },
    { run: 'kubectl get pv,pvc -n every' },
    { run: 'kubectl delete -f kinds/other.yaml --wait=false' },
    { run: 'kubectl delete -f kinds/apps.yaml' },
    { run: 'kubectl delete pods,svc,rc,secrets,cm,sa,endpoints,limits,quota,podtemplates,events --all -n every' },
    { run: 'kubectl delete nodes --all --dry-run=server' },
    { run: 'kubectl delete nodes/node-a nodes/node-b priorityclass/high sc/slow runtimeclass/deep --wait=false' },
  ],
}
