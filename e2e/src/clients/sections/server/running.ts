import type { Command, Section } from '../../command.js'

/** Runs a line once more with the uid of an object in place of `UID`. */
const withUid = (object: string, file: string): string =>
  `sed "s/UID/$(kubectl get ${object} -o jsonpath='{.metadata.uid}')/" ${file} | kubectl create -f -`

const patchStatus = (object: string, status: object): Command => ({
  run: `kubectl patch ${object} --subresource=status --type=merge -p '${JSON.stringify({ status })}'`,
})

const setting: readonly Command[] = [
  { run: 'kubectl create -f running.yaml' },
  { run: 'kubectl set image deploy/web main=nginx:1.28 side=busybox:2' },
  { run: 'kubectl set image deploy/web main=nginx:1.28' },
  { run: 'kubectl set image deploy/web nobody=nginx:1.28', exit: 1 },
  { run: "kubectl set image deploy,ds,sts,cj --all '*=nginx:1.29'" },
  { run: 'kubectl set image deploy/missing main=nginx:1.28', exit: 1 },
  { run: 'kubectl set env deploy/web COLOR=blue SIZE=2' },
  { run: 'kubectl set env deploy/web --list' },
  { run: 'kubectl set env deploy/web COLOR-' },
  { run: 'kubectl create cm chart --from-literal=area=north && kubectl set env sts/ledger --from=configmap/chart --prefix=C_' },
  { run: 'kubectl set env sts/ledger --list --resolve' },
  { run: 'kubectl set env cj/hourly -c main COLOR=red -o yaml | grep -A3 env:' },
  { run: 'kubectl set resources deploy/web -c=main --limits=cpu=200m,memory=64Mi --requests=cpu=100m' },
  { run: 'kubectl set resources deploy/web --limits=cpu=nothing', exit: 1 },
  { run: 'kubectl set resources deploy/web -c main --requests=cpu=1', exit: 1 },
  { run: 'kubectl create sa robot && kubectl set serviceaccount deploy web robot' },
  { run: 'kubectl set sa ds/lamp robot' },
  { run: "kubectl get deploy web -o jsonpath='{.spec.template.spec}'" },
  { run: 'kubectl create svc clusterip web --tcp=80 && kubectl set selector svc web app=web,tier=front' },
  { run: 'kubectl set selector svc web app=web' },
  { run: 'kubectl get svc web -o wide' },
  { run: 'kubectl create role reader --verb=get --resource=pods && kubectl create rolebinding read --role=reader --user=jane' },
  { run: 'kubectl set subject rolebinding read --user=john --group=crew --serviceaccount=default:robot' },
  { run: 'kubectl get rolebinding read -o wide' },
]

const exposing: readonly Command[] = [
  { run: 'kubectl expose deploy web --port=8080 --target-port=80 --name=front -o yaml' },
  { run: 'kubectl expose deploy web --port=8080 --name=front', exit: 1 },
  { run: 'kubectl expose deploy web --type=NodePort --name=outer --port=80 --protocol=UDP' },
  { run: 'kubectl expose svc front --port=443 --name=secure --labels=tier=front' },
  { run: 'kubectl run single --image=nginx:1.27 --port=80 --labels=app=single,tier=back --env=COLOR=blue -o yaml' },
  { run: 'kubectl run single --image=nginx:1.27', exit: 1 },
  { run: 'kubectl run once --image=busybox:1 --restart=Never --command -- date' },
  { run: 'kubectl run both --image=nginx:1.27 --expose --port=80 | sort' },
  {
    run: 'kubectl run forced --image=busybox:1 --dry-run=server --overrides=\'{"spec":{"hostNetwork":true}}\' -o jsonpath=\'{.spec.hostNetwork} {.spec.containers[0].name}\'',
  },
  { run: 'kubectl run Wrong --image=busybox:1', exit: 1 },
  { run: 'kubectl expose pod single --name=alone' },
  { run: 'kubectl get pods,svc -o wide' },
  { run: 'kubectl autoscale deploy web --min=2 --max=5 --cpu-percent=80 -o yaml' },
  { run: 'kubectl autoscale sts ledger --max=5' },
  { run: 'kubectl autoscale deploy web --name=both --max=5 --cpu=70% --memory=200Mi -o yaml' },
  { run: 'kubectl autoscale deploy missing --max=5', exit: 1 },
  { run: 'kubectl autoscale deploy web --max=0', exit: 1 },
  { run: 'kubectl get hpa' },
  { run: 'kubectl describe hpa both' },
  { run: 'kubectl scale deploy/web sts/ledger --replicas=4' },
  { run: 'kubectl scale deploy/web --current-replicas=2 --replicas=3', exit: 1 },
  { run: 'kubectl scale rs,deploy --all --replicas=3' },
  { run: 'kubectl scale ds/lamp --replicas=3', exit: 1 },
  { run: 'kubectl scale --replicas=1 -f running.yaml', exit: 1 },
  { run: 'kubectl get deploy web --subresource=scale -o yaml' },
]

const rollouts: readonly Command[] = [
  { run: 'kubectl rollout status deploy/web --timeout=1s', exit: 1 },
  patchStatus('deploy web', { observedGeneration: 99, replicas: 3, updatedReplicas: 3, availableReplicas: 3, readyReplicas: 3 }),
  { run: 'kubectl rollout status deploy/web' },
  { run: 'kubectl rollout pause deploy/web' },
  { run: 'kubectl rollout pause deploy/web', exit: 1 },
  { run: 'kubectl rollout undo deploy/web', exit: 1 },
  { run: 'kubectl rollout resume deploy/web' },
  { run: 'kubectl rollout pause ds/lamp', exit: 1 },
  {
    run: "kubectl rollout restart deploy/web ds/lamp sts/ledger && kubectl get deploy,ds,sts -o jsonpath='{.items[*].spec.template.metadata.annotations}'",
  },
  { run: 'kubectl rollout restart rs/crew', exit: 1 },
  { run: withUid('deploy/web', 'web-revisions.yaml') },
  { run: 'kubectl rollout history deploy/web' },
  { run: 'kubectl rollout history deploy/web --revision=1' },
  { run: 'kubectl rollout history deploy/web --revision=9', exit: 1 },
  { run: 'kubectl rollout undo deploy/web --to-revision=1 --dry-run=server' },
  { run: 'kubectl rollout undo deploy/web --to-revision=1' },
  { run: "kubectl get deploy web -o jsonpath='{.spec.template.spec.containers[*].image}'" },
  patchStatus('ds lamp', {
    observedGeneration: 99,
    desiredNumberScheduled: 2,
    updatedNumberScheduled: 2,
    numberAvailable: 2,
    numberReady: 2,
    currentNumberScheduled: 2,
    numberMisscheduled: 0,
  }),
  { run: 'kubectl rollout status ds/lamp' },
  { run: withUid('ds/lamp', 'lamp-revisions.yaml') },
  { run: 'kubectl rollout history ds/lamp' },
  { run: 'kubectl rollout history ds lamp --revision=1' },
  { run: 'kubectl rollout undo ds/lamp --to-revision=1' },
  { run: "kubectl get ds lamp -o jsonpath='{.spec.template.spec.containers[*].image}'" },
  patchStatus('sts ledger', {
    observedGeneration: 99,
    replicas: 4,
    readyReplicas: 4,
    currentReplicas: 4,
    updatedReplicas: 4,
    currentRevision: 'a',
    updateRevision: 'a',
  }),
  { run: 'kubectl rollout status sts/ledger' },
  { run: withUid('sts/ledger', 'ledger-revisions.yaml') },
  { run: 'kubectl rollout history sts/ledger' },
  { run: 'kubectl rollout undo sts ledger' },
  { run: 'kubectl rollout history job/once', exit: 1 },
]

const waiting: readonly Command[] = [
  patchStatus('pod single', { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }),
  { run: 'kubectl wait --for=condition=Ready pod/single --timeout=5s' },
  { run: "kubectl wait --for=jsonpath='{.status.phase}'=Running pod -l app=single --timeout=5s" },
  { run: 'kubectl wait --for=condition=Ready=false pod/single --timeout=1s', exit: 1 },
  { run: 'kubectl wait --for=create pod/single --timeout=5s' },
  { run: 'kubectl wait --for=delete pod/missing --timeout=5s' },
  { run: 'kubectl wait --for=condition=Ready pod --all --timeout=1s', exit: 1 },
  { run: 'kubectl wait --for=condition=Ready pod', exit: 1 },
  { run: 'kubectl top pods', exit: 1 },
]

/** Workloads as people handle them, where nothing works on them. */
export const running: Section = {
  name: 'running',
  commands: [
    ...setting,
    ...exposing,
    ...rollouts,
    ...waiting,
    { run: 'kubectl delete -f running.yaml' },
    { run: 'kubectl delete svc,hpa,pods,rs,controllerrevisions,role,rolebinding,sa,cm --field-selector metadata.name!=kubernetes' },
  ],
}
