import type { Section } from '../command.js'

const maybeGone = 'it prints what is still there, which depends on when it looks'
const repeats = 'how many lines come before depends on when it looks'

/** The operator of Widgets at work: one Widget becomes a Deployment, and everything that follows from it. */
export const operator: Section = {
  name: 'operator',
  operator: true,
  commands: [
    { run: 'kubectl apply -f web.yaml' },
    { run: 'kubectl wait --for=condition=Ready wd/web --timeout=30s' },
    { run: 'kubectl get wd web' },
    { run: 'kubectl get wd web -o yaml' },
    {
      run: 'kubectl describe wd web',
      like: [/^Name: +web\nNamespace: +default$/m, /^Events: +/m],
      because: 'the operator may record events',
    },
    { run: 'kubectl rollout status deployment web --timeout=30s' },
    { run: 'kubectl get deploy,rs,pods' },
    {
      run: "kubectl get deployment web -o jsonpath='{.metadata.ownerReferences[0].kind} {.metadata.ownerReferences[0].controller} {.metadata.ownerReferences[0].blockOwnerDeletion}'",
    },
    { run: 'kubectl scale wd/web --replicas=4' },
    { run: "kubectl wait --for=jsonpath='{.status.readyReplicas}'=4 wd/web --timeout=30s" },
    { run: 'kubectl wait --for=condition=Ready wd/web --timeout=30s' },
    { run: "kubectl get wd web --subresource=scale -o jsonpath='{.spec} {.status}'" },
    {
      run: 'kubectl get wd web -w',
      until: [{ shows: /web +nginx:1\.27 +4 +4 / }, { meanwhile: 'kubectl scale wd/web --replicas=1', shows: /web +nginx:1\.27 +1 +1 / }],
      like: [/^NAME +IMAGE +REPLICAS +READY +AGE\nweb +nginx:1.27 +4 +4 +<age>\nweb +nginx:1.27 +1 +4 +<age>\n/m],
      because: 'which numbers of ready replicas are seen in between is a matter of time',
    },
    { run: `kubectl patch wd web --type=merge -p '{"spec":{"image":"nginx:1.28"}}'` },
    { run: "kubectl wait --for=jsonpath='{.spec.template.spec.containers[0].image}'=nginx:1.28 deployment/web --timeout=30s" },
    { run: 'kubectl rollout status deployment web --timeout=60s', like: [/^deployment "web" successfully rolled out$/m], because: repeats },
    { run: 'kubectl wait --for=condition=Ready wd/web --timeout=30s' },
    { run: 'kubectl scale deployment web --replicas=3' },
    { run: "kubectl wait --for=jsonpath='{.spec.replicas}'=1 deployment/web --timeout=30s" },
    { run: 'kubectl delete deployment web' },
    { run: 'kubectl wait --for=create deployment/web --timeout=30s' },
    { run: 'kubectl wait --for=condition=Available deployment/web --timeout=30s' },
    { run: 'kubectl wait --for=condition=Ready wd/web --timeout=30s' },

    { run: 'kubectl delete wd web --cascade=foreground --timeout=60s' },
    { run: 'kubectl get wd,deploy,rs,pods' },
    { run: 'kubectl apply -f web.yaml' },
    { run: 'kubectl wait --for=condition=Ready wd/web --timeout=30s' },
    { run: 'kubectl delete wd web --cascade=background' },
    { run: 'kubectl wait --for=delete deployment/web --timeout=30s', like: [], because: maybeGone },
    { run: 'kubectl wait --for=delete rs,pods -l app.kubernetes.io/instance=web --timeout=60s', like: [], because: maybeGone },
    { run: 'kubectl get deploy,rs,pods' },
    { run: 'kubectl apply -f web.yaml' },
    { run: 'kubectl wait --for=condition=Ready wd/web --timeout=30s' },
    { run: 'kubectl delete wd web --cascade=orphan' },
    { run: "kubectl get deployment web -o jsonpath='{.metadata.name}{.metadata.ownerReferences}'" },
    { run: 'kubectl delete deployment web --cascade=foreground --timeout=60s' },

    { run: 'kubectl create -f harbour.yaml' },
    { run: 'kubectl apply -n harbour -f web.yaml' },
    { run: 'kubectl wait -n harbour --for=condition=Ready wd/web --timeout=30s' },
    { run: 'kubectl delete ns harbour --timeout=60s' },
    { run: 'kubectl get wd,deploy,rs,pods -n harbour' },
  ],
}
