import type { Command, Section } from '../command.js'

const events = 'which events there are, and when, is the business of scheduler, kubelet and controllers'
const simulated = 'the nodes are simulated'

const rolledOut: Command = {
  run: 'kubectl rollout status deployment front --timeout=60s',
  like: [/^deployment "front" successfully rolled out$/m],
  because: 'how many lines come before depends on when it looks',
}

/** Pods, replica sets and deployments, with controllers and nodes at work. */
export const workloads: Section = {
  name: 'workloads',
  commands: [
    { run: 'kubectl create -f pod.yaml' },
    { run: 'kubectl wait --for=condition=Ready pod/single --timeout=20s' },
    { run: 'kubectl get pod single' },
    {
      run: 'kubectl get pod single -o wide',
      like: [
        /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\nsingle +1\/1 +Running +0 +<age> +[\d.]+ +\S+ +<none> +<none>$/m,
      ],
      because: simulated,
    },
    {
      run: "kubectl get pod single -o jsonpath='{.spec.restartPolicy} {.spec.dnsPolicy} {.spec.schedulerName} {.spec.terminationGracePeriodSeconds} {.spec.serviceAccountName} {.spec.priority} {.spec.preemptionPolicy} {.spec.tolerations} {.status.qosClass}'",
    },
    {
      run: "kubectl get pod single -o jsonpath='{.spec.containers[0].resources} {.spec.containers[0].imagePullPolicy} {.spec.containers[0].terminationMessagePolicy}'",
    },
    {
      run: 'kubectl describe pod single',
      like: [
        /^Name: +single\nNamespace: +default\nPriority: +0\n/m,
        /^Labels: +app=single\nAnnotations: +<none>\nStatus: +Running\n/m,
        /^ {4}Limits:\n {6}memory: +128Mi\n {4}Requests:\n {6}cpu: +100m\n {6}memory: +64Mi\n {4}Environment:\n {6}COLOR: +blue\n/m,
        /^QoS Class: +Burstable\n/m,
      ],
      because: `${simulated}; ${events}`,
    },
    { run: 'kubectl get pods --field-selector status.phase=Running' },
    { run: 'kubectl get pods --field-selector status.phase!=Running' },
    { run: 'kubectl get pods --field-selector status.colour=blue', exit: 1 },
    {
      run: `kubectl patch pod single --type=merge -p '{"spec":{"terminationGracePeriodSeconds":7}}'`,
      exit: 1,
      like: [/^! The Pod "single" is invalid: spec: Forbidden: pod updates may not change fields other than/m],
      because: 'the rest of the message is a difference of Go structures',
    },
    { run: 'kubectl label pod single color=blue' },
    { run: 'kubectl delete pod single --timeout=40s' },
    { run: 'kubectl get pod single', exit: 1 },

    { run: 'kubectl create -f replica-set.yaml' },
    { run: "kubectl wait --for=jsonpath='{.status.readyReplicas}'=1 rs/crew --timeout=20s" },
    { run: 'kubectl get rs crew -o wide' },
    { run: 'kubectl scale rs crew --replicas=3' },
    { run: "kubectl wait --for=jsonpath='{.status.readyReplicas}'=3 rs/crew --timeout=20s" },
    { run: 'kubectl get rs crew' },
    { run: 'kubectl delete rs crew --cascade=orphan' },
    { run: "kubectl get pods -l app=crew -o jsonpath='{.items[*].metadata.ownerReferences}{.items[*].status.phase}'" },
    { run: 'kubectl create -f replica-set.yaml' },
    { run: "kubectl wait --for=jsonpath='{.status.readyReplicas}'=1 rs/crew --timeout=20s" },
    { run: 'kubectl delete rs crew --cascade=foreground --timeout=60s' },
    { run: 'kubectl get pods -l app=crew' },

    { run: 'kubectl create -f deployment.yaml' },
    rolledOut,
    { run: 'kubectl wait --for=condition=Available deployment/front --timeout=20s' },
    { run: 'kubectl get deployment front' },
    { run: 'kubectl get deployment front -o wide' },
    { run: 'kubectl get deploy,rs,pods -l app=front' },
    {
      run: "kubectl get deployment front -o jsonpath='{.spec.strategy} {.spec.progressDeadlineSeconds} {.spec.revisionHistoryLimit} {.status.conditions[*].reason}'",
    },
    {
      run: 'kubectl describe deployment front',
      like: [
        /^Replicas: +2 desired \| 2 updated \| 2 total \| 2 available \| 0 unavailable$/m,
        /^StrategyType: +RollingUpdate\nMinReadySeconds: +0\nRollingUpdateStrategy: +25% max unavailable, 25% max surge$/m,
        /^ {2}Available +True +MinimumReplicasAvailable\n {2}Progressing +True +NewReplicaSetAvailable\nOldReplicaSets: +<none>\nNewReplicaSet: +front-<hash> \(2\/2 replicas created\)$/m,
        /^ {2}Normal +ScalingReplicaSet +<age> +deployment-controller +Scaled up replica set front-<hash> from 0 to 2$/m,
      ],
      because: events,
    },
    {
      run: 'kubectl describe rs -l app=front',
      like: [
        /^Controlled By: +Deployment\/front\nReplicas: +2 current \/ 2 desired\nPods Status: +2 Running \/ 0 Waiting \/ 0 Succeeded \/ 0 Failed$/m,
        /^ {2}Normal +SuccessfulCreate +<age> +replicaset-controller +Created pod: front-<hash>-<suffix>$/m,
      ],
      because: events,
    },
    { run: 'kubectl scale deployment front --replicas=3' },
    rolledOut,
    {
      run: `kubectl patch deployment front --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"nginx:1.28"}]'`,
    },
    rolledOut,
    { run: 'kubectl get rs -l app=front -o wide --sort-by=.spec.replicas' },
    { run: 'kubectl rollout history deployment front' },
    { run: 'kubectl set image deployment/front main=nginx:1.29' },
    { run: 'kubectl rollout restart deployment front' },
    { run: 'kubectl rollout pause deployment front' },
    { run: 'kubectl apply -f deployment-changed.yaml' },
    { run: 'kubectl rollout resume deployment front' },
    { run: 'kubectl rollout resume deployment front', exit: 1 },
    rolledOut,
    { run: "kubectl get deployment front -o jsonpath='{.spec.replicas} {.spec.template.spec.containers[0].image} {.spec.paused}'" },
    { run: 'kubectl set env deployment/front COLOR=blue' },
    rolledOut,
    { run: 'kubectl set resources deployment front --limits=cpu=200m --requests=cpu=100m' },
    rolledOut,
    {
      run: "kubectl get deployment front -o jsonpath='{.spec.template.spec.containers[0].env} {.spec.template.spec.containers[0].resources}'",
    },
    { run: 'kubectl rollout undo deployment front' },
    { run: 'kubectl rollout undo deployment front --to-revision=99', exit: 1 },
    {
      run: "kubectl get deployment front -o jsonpath='{.spec.template.spec.containers[0].env} {.spec.template.spec.containers[0].resources}'",
    },
    { run: `kubectl patch deployment front --type=merge -p '{"spec":{"selector":{"matchLabels":{"app":"back"}}}}'`, exit: 1 },
    {
      run: 'kubectl get all',
      like: [
        /^service\/kubernetes +ClusterIP +10\.0\.0\.1 +<none> +443\/TCP +<age>$/m,
        /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\ndeployment.apps\/front +\d\/\d +\d +\d +<age>$/m,
        /^replicaset.apps\/front-<hash> +\d +\d +\d +<age>$/m,
      ],
      because: 'old replica sets are in the order of their hashes',
    },
    {
      run: 'kubectl get deploy,rs,pods,events -A',
      like: [
        /^default +pod\/front-<hash>-<suffix> +1\/1 +Running +0 +<age>$/m,
        /^default +<age> +Normal +ScalingReplicaSet +deployment\/front +Scaled up replica set front-<hash> from 0 to 2$/m,
      ],
      because: events,
    },
    { run: 'kubectl delete deployment front --cascade=foreground --timeout=60s' },
    { run: 'kubectl get rs,pods -l app=front' },

    {
      run: 'kubectl get nodes -o wide',
      like: [/^NAME +STATUS +ROLES +AGE +VERSION +INTERNAL-IP +EXTERNAL-IP +OS-IMAGE +KERNEL-VERSION +CONTAINER-RUNTIME$/m],
      because: simulated,
    },
    {
      run: 'kubectl describe nodes',
      like: [/^Name: +\S+\nRoles: +<none>$/m, /^Unschedulable: +false$/m, /^ {2}Ready +True /m],
      because: simulated,
    },
    {
      run: 'kubectl get leases -n kube-node-lease',
      like: [/^NAME +HOLDER +AGE\n(\S+) +\1 +<age>\n(\S+) +\2 +<age>$/m],
      because: simulated,
    },
    { run: 'kubectl cordon node-0' },
    { run: 'kubectl get nodes' },
    { run: 'kubectl cordon node-0' },
    { run: 'kubectl uncordon node-0' },
    { run: 'kubectl taint node node-1 sea=rough:NoSchedule' },
    { run: 'kubectl taint node node-1 sea=rough:NoSchedule', exit: 1 },
    { run: "kubectl get node node-1 -o jsonpath='{.spec.taints}'" },
    { run: 'kubectl taint node node-1 sea-' },
  ],
}
