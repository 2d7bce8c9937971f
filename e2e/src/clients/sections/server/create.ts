import type { Command, Section } from '../../command.js'

const configuration: readonly Command[] = [
  { run: 'kubectl create namespace harbour -o yaml' },
  { run: 'kubectl create ns harbour', exit: 1 },
  { run: 'kubectl create ns Harbour', exit: 1 },
  { run: 'kubectl create configmap one --from-literal=color=blue --from-literal=size=2 -o yaml' },
  { run: 'kubectl create configmap two --from-file=broken.txt --append-hash' },
  { run: "printf 'A=1\\nB=two\\n' > vars && kubectl create cm three --from-env-file=vars -o yaml" },
  { run: 'kubectl create cm four --from-literal=color', exit: 1 },
  { run: 'kubectl create cm bad_name', exit: 1 },
  { run: 'kubectl create secret generic one --from-literal=password=ahoy -o yaml' },
  { run: 'kubectl create secret generic two --type=example.com/odd --from-file=key=broken.txt' },
  { run: 'kubectl create secret tls three --cert=tls.crt --key=tls.key' },
  { run: 'kubectl create secret tls four --cert=broken.txt --key=tls.key', exit: 1 },
  {
    run: 'kubectl create secret docker-registry five --docker-server=example.com --docker-username=a --docker-password=b --docker-email=c@example.com -o yaml',
  },
  { run: 'kubectl get secrets --sort-by=.metadata.name -o custom-columns=NAME:.metadata.name,TYPE:.type' },
  { run: 'kubectl create serviceaccount robot -o yaml' },
  { run: 'kubectl create sa robot --dry-run=server', exit: 1 },
  { run: 'kubectl create sa other --dry-run=server -o name' },
  { run: 'kubectl create quota small --hard=pods=2,cpu=1 --scopes=BestEffort', exit: 1 },
  { run: 'kubectl create quota small --hard=pods=2 --scopes=BestEffort -o yaml' },
  { run: 'kubectl create priorityclass first --value=500 --description=first --preemption-policy=Never -o yaml' },
  { run: 'kubectl create priorityclass usual --value=10 --global-default' },
  { run: 'kubectl create priorityclass huge --value=2000000000', exit: 1 },
]

const workloads: readonly Command[] = [
  { run: 'kubectl create deployment web --image=nginx:1.27 --replicas=2 --port=80 -o yaml' },
  { run: 'kubectl create deploy pair --image=nginx:1.27 --image=busybox:1' },
  { run: 'kubectl create deploy talk --image=busybox:1 -- sh -c date -o name' },
  { run: 'kubectl create deploy web --image=nginx:1.27', exit: 1 },
  { run: 'kubectl create deploy Web --image=nginx:1.27', exit: 1 },
  { run: 'kubectl get deploy -o wide' },
  { run: "kubectl create job once --image=busybox:1 -o yaml | sed 's/batch.kubernetes.io.//'" },
  { run: 'kubectl create job talk --image=busybox:1 -- date' },
  { run: "kubectl create cronjob hourly --image=busybox:1 --schedule='0 * * * *' -o yaml -- date" },
  { run: "kubectl create cj daily --image=busybox:1 --schedule='0 0 * * *' --restart=Never" },
  { run: "kubectl create cj never --image=busybox:1 --schedule='whenever'", exit: 1 },
  { run: 'kubectl create job by-hand --from=cronjob/hourly -o yaml' },
  { run: 'kubectl create job by-hand --from=cronjob/missing', exit: 1 },
  { run: 'kubectl get jobs,cj -o wide' },
  { run: 'kubectl create poddisruptionbudget some --selector=app=web --min-available=1 -o yaml' },
  { run: 'kubectl create pdb most --selector=app=web --max-unavailable=30%' },
  { run: 'kubectl create pdb none --selector=app=web', exit: 1 },
  { run: 'kubectl get pdb' },
]

const access: readonly Command[] = [
  { run: 'kubectl create role reader --verb=get,list --resource=pods,deployments.apps --resource=pods/log -o yaml' },
  { run: 'kubectl create role one --verb=get --resource=cm --resource-name=one' },
  { run: 'kubectl create role scaler --verb=update --resource=deployments/scale -o yaml' },
  { run: 'kubectl create role none --verb=get --resource=nothing', exit: 1 },
  { run: 'kubectl create role twice --verb=get --resource=pods,deployments.apps --resource-name=a --resource-name=b' },
  { run: 'kubectl create clusterrole lookout --verb=get,watch --resource=nodes -o yaml' },
  { run: 'kubectl create clusterrole visitor --verb=get --non-resource-url=/healthz,/logs/* -o yaml' },
  { run: 'kubectl create clusterrole sum --aggregation-rule=rank=high -o yaml' },
  { run: 'kubectl create clusterrole wrong --verb=list --non-resource-url=/healthz', exit: 1 },
  { run: 'kubectl create rolebinding read --role=reader --user=jane --group=crew --serviceaccount=default:robot -o yaml' },
  { run: 'kubectl create rolebinding view --clusterrole=view --user=jane' },
  { run: 'kubectl create rolebinding view --clusterrole=view --role=reader', exit: 1 },
  { run: 'kubectl create clusterrolebinding look --clusterrole=lookout --group=crew -o yaml' },
  { run: 'kubectl get roles,rolebindings -o wide' },
  { run: 'kubectl create token robot' },
  {
    run: "kubectl create token robot --audience=vault --duration=15m | cut -d. -f2 | tr '_-' '/+' | base64 -d 2>/dev/null | grep -o '\"aud\":[^]]*]'",
  },
  { run: 'kubectl create token robot --duration=1s', exit: 1 },
  { run: 'kubectl create token missing', exit: 1 },
  { run: 'kubectl create token robot --bound-object-kind=Secret --bound-object-name=one' },
  { run: 'kubectl create token robot --bound-object-kind=Secret --bound-object-name=missing', exit: 1 },
]

const services: readonly Command[] = [
  { run: 'kubectl create service clusterip inner --tcp=80:8080 --tcp=443 -o yaml' },
  { run: 'kubectl create svc clusterip bare --clusterip=None' },
  { run: 'kubectl create svc clusterip many --clusterip=None --tcp=80' },
  { run: 'kubectl create svc nodeport outer --tcp=80 --node-port=30090 -o yaml' },
  { run: 'kubectl create svc nodeport same --tcp=80 --node-port=30090', exit: 1 },
  { run: 'kubectl create svc nodeport high --tcp=80 --node-port=99', exit: 1 },
  { run: 'kubectl create svc loadbalancer world --tcp=80:8080 -o yaml' },
  { run: 'kubectl create svc externalname far --external-name=sea.example.com -o yaml' },
  { run: 'kubectl create svc externalname wrong --external-name=sea_example', exit: 1 },
  { run: 'kubectl get svc -o wide' },
  {
    run: 'kubectl create ingress gate --class=locks --rule=sea.example.com/north*=inner:80,tls=one --rule=/=inner:http --annotation=note=open -o yaml',
  },
  { run: 'kubectl create ing catch --default-backend=inner:80' },
  { run: 'kubectl create ing wrong --rule=sea.example.com=inner', exit: 1 },
  { run: 'kubectl get ing' },
]

/** What `kubectl create` makes without a file. */
export const create: Section = {
  name: 'create',
  commands: [
    ...configuration,
    ...workloads,
    ...access,
    ...services,
    { run: 'kubectl delete deploy,svc,ing,job,cj,pdb,quota,role,rolebinding --field-selector metadata.name!=kubernetes | sort' },
    { run: 'kubectl delete secret,cm,sa --all' },
    {
      run: 'kubectl delete priorityclass/first priorityclass/usual clusterrole/lookout clusterrole/visitor clusterrole/sum clusterrolebinding/look',
    },
  ],
}
