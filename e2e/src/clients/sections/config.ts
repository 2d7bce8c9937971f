import type { Section } from '../command.js'
import { noQuota } from './known.js'

/** Namespaces, config maps, secrets and other kinds that no controller works on. */
export const config: Section = {
  name: 'config',
  commands: [
    { run: 'kubectl create -f settings.yaml' },
    { run: 'kubectl create -f settings.yaml', exit: 1 },
    { run: 'kubectl apply -f settings.yaml' },
    { run: 'kubectl apply -f settings-changed.yaml' },
    { run: 'kubectl apply -f settings-changed.yaml' },
    { run: 'kubectl replace -f settings-changed.yaml' },
    { run: 'kubectl get cm settings' },
    { run: "kubectl get cm settings -o jsonpath='{.data.color}'" },
    { run: 'kubectl get cm settings -o yaml' },
    { run: 'kubectl describe cm settings' },
    { run: `kubectl patch cm settings --type=merge -p '{"data":{"color":"red"}}'` },
    { run: `kubectl patch cm settings -p '{"data":{"color":"yellow"}}'` },
    {
      run: `kubectl patch cm settings --type=json -p '[{"op":"add","path":"/data/size","value":3}]'`,
      exit: 1,
      like: [
        /^! The request is invalid: patch: Invalid value: "\{.*\}": json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/m,
      ],
      because: 'the message holds the whole object, with who manages which field',
    },
    { run: "KUBE_EDITOR='sed -i s/sailor/captain/' kubectl edit cm settings" },
    { run: 'kubectl label cm settings tier=front' },
    { run: 'kubectl get cm -l tier --show-labels' },
    { run: 'kubectl get cm --field-selector metadata.name=settings' },
    { run: 'kubectl get cm --field-selector data.color=red', exit: 1 },
    {
      run: 'kubectl get cm settings -w',
      until: [
        { shows: /settings/ },
        { meanwhile: `kubectl patch cm settings --type=merge -p '{"data":{"size":"3"}}'`, shows: /settings +3/ },
        { meanwhile: 'kubectl delete cm settings', shows: /(settings +3.*){2}/s },
      ],
    },
    { run: 'kubectl create -f fixed.yaml' },
    { run: `kubectl patch cm fixed --type=merge -p '{"data":{"color":"red"}}'`, exit: 1 },
    { run: `kubectl patch cm fixed --type=merge -p '{"immutable":false}'`, exit: 1 },
    { run: 'kubectl delete cm fixed' },

    { run: 'kubectl create -f password.yaml' },
    { run: 'kubectl get secret password' },
    { run: "kubectl get secret password -o jsonpath='{.data}'" },
    { run: 'kubectl describe secret password' },
    { run: `kubectl patch secret password --type=merge -p '{"type":"kubernetes.io/tls"}'`, exit: 1 },
    { run: 'kubectl get secrets --field-selector type=Opaque -o name' },
    { run: 'kubectl delete -f password.yaml' },

    { run: 'kubectl create -f robot.yaml' },
    { run: 'kubectl get sa' },
    { run: 'kubectl describe sa robot' },
    { run: 'kubectl delete sa robot' },

    {
      run: 'kubectl create -f service.yaml',
    },
    {
      run: 'kubectl get svc front -o wide',
      like: [
        /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE +SELECTOR\nfront +ClusterIP +10\.\S+ +<none> +80\/TCP +<age> +app=front$/m,
      ],
      because: 'the address is any free one',
    },
    { run: "kubectl get svc front -o jsonpath='{.spec.ports} {.spec.sessionAffinity} {.spec.ipFamilies} {.spec.internalTrafficPolicy}'" },
    { run: 'kubectl create -f port-service.yaml', exit: 1 },
    { run: `kubectl patch svc front --type=merge -p '{"spec":{"clusterIP":"10.0.0.1"}}'`, exit: 1 },
    { run: 'kubectl delete svc front' },

    { run: 'kubectl create -f lease.yaml' },
    { run: 'kubectl get lease wheel' },
    { run: 'kubectl describe lease wheel' },
    { run: 'kubectl delete lease wheel' },

    { run: 'kubectl create -f event.yaml' },
    { run: 'kubectl get events --field-selector involvedObject.name=settings,reason=Painted' },
    { run: 'kubectl get events.v1.events.k8s.io settings.first' },
    { run: "kubectl get events.v1.events.k8s.io settings.first -o jsonpath='{.regarding.name} {.note} {.deprecatedCount}'" },
    { run: 'kubectl get events --field-selector reason=Painted -o wide' },
    { run: 'kubectl events --types=Normal --for configmap/settings' },
    { run: 'kubectl delete event settings.first' },

    { run: 'kubectl create -f harbour.yaml' },
    { run: 'kubectl get ns harbour' },
    { run: 'kubectl describe ns harbour', known: noQuota },
    { run: 'kubectl apply -n harbour -f settings.yaml -f hello.yaml' },
    { run: 'kubectl get cm/settings wd/hello -n harbour' },
    { run: 'kubectl apply -n default -f harbour.yaml' },
    { run: 'kubectl delete ns harbour --timeout=30s' },
    { run: 'kubectl get ns harbour', exit: 1 },
    { run: 'kubectl get wd -n harbour' },
    { run: 'kubectl delete ns default', exit: 1 },
    { run: 'kubectl create -f settings.yaml -n nowhere', exit: 1 },
    { run: 'kubectl create -f pod-mistakes.yaml', exit: 1 },
    { run: 'kubectl create -f deployment-wrong-selector.yaml', exit: 1 },
    { run: 'echo \'{"apiVersion":"v1","kind":"Pod","metadata":{"name":"empty"},"spec":{}}\' | kubectl create -f -', exit: 1 },
    { run: 'echo \'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"typo"},"dat":{}}\' | kubectl create -f -', exit: 1 },
    { run: 'echo \'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"typo"},"data":{"a":1}}\' | kubectl create -f -', exit: 1 },
    {
      run: 'echo \'{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"many-"},"spec":{"containers":[{"name":"a","image":"b","ports":[{"containerPort":"x"}]}]}}\' | kubectl create -f -',
      exit: 1,
    },
  ],
}
