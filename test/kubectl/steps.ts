/**
 * Commands of kubectl. Each runs against two servers without controllers; their outputs and exit codes are
 * equal after values that every server chooses are masked.
 */

/** One command. `{file}` is the path of a file with the content of `file`. */
export interface Step {
  /** Arguments, separated by spaces; those with spaces are in `more`. */
  readonly run: string;
  /** Whether only lines about fields are compared: the server in memory has no descriptions. */
  readonly isDescribed?: boolean;
  readonly more?: readonly string[];
  readonly file?: string;
  /** Standard input. */
  readonly input?: string;
  /** Command of a script that edits the file it is given, for `kubectl edit`. */
  readonly editor?: string;
}

const deployment = (image: string, more = ''): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}" }] }${more}
`;
const configMap = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, labels: { app: ${name} } }\ndata: { a: "${value}" }\n`;

const status = (text: string): readonly string[] => [
  `--patch=${JSON.stringify({ status: JSON.parse(text) as unknown })}`,
];

/** Commands by chapter. The commands of a chapter run in order, in one namespace. */
export const chapters: Readonly<Record<string, readonly Step[]>> = {
  'create and get': [
    { run: 'get configmaps' },
    { run: 'create configmap one --from-literal=a=1' },
    { run: 'create configmap one --from-literal=a=1' },
    { run: 'create -f {file}', file: `${configMap('two', '2')}---\n${configMap('three', '3')}` },
    { run: 'create -f {file}', file: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: Bad_Name }' },
    { run: 'create -f {file}', file: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: typo }\ndatta: {}' },
    {
      run: 'create -f {file} --validate=false',
      file: 'apiVersion: v1\nkind: Nothing\nmetadata: { name: a }',
    },
    { run: 'create -f -', input: configMap('four', '4') },
    { run: 'get configmaps' },
    { run: 'get cm,secrets' },
    { run: 'get cm -o wide --show-labels' },
    { run: 'get cm one -o yaml' },
    { run: 'get cm one -o json --show-managed-fields' },
    { run: 'get cm -o name' },
    { run: 'get cm -o jsonpath={.items[*].data.a}' },
    { run: 'get cm -o custom-columns=N:.metadata.name,A:.data.a' },
    { run: 'get cm -l app=two' },
    { run: 'get cm -l', more: ['app in (two,three)'] },
    { run: 'get cm --field-selector metadata.name=one' },
    { run: 'get cm --field-selector data.a=1' },
    { run: 'get cm --sort-by=.data.a --no-headers' },
    { run: 'get cm --chunk-size=1' },
    { run: 'get cm none' },
    { run: 'get cm none --ignore-not-found' },
    { run: 'get nothings' },
    { run: 'get all' },
    { run: 'create secret generic s --from-literal=k=v' },
    { run: 'get secret s -o jsonpath={.data.k}' },
    { run: 'create serviceaccount robot' },
    { run: 'create service clusterip svc --tcp=80:8080' },
    { run: 'create service nodeport np --tcp=80:8080' },
    { run: 'get svc' },
    { run: 'create quota q --hard=pods=5' },
    { run: 'create role r --verb=get --resource=pods' },
    { run: 'create rolebinding rb --role=r --user=jane' },
    { run: 'get roles,rolebindings' },
    { run: 'create job j --image=a -- true' },
    { run: 'create cronjob c --image=a --schedule', more: ['* * * * *'] },
    { run: 'create ingress i --rule=a.example.com/*=svc:80' },
    { run: 'create pdb p --selector=app=web --min-available=1' },
    { run: 'get jobs,cronjobs,ingresses,pdb,quota' },
    { run: 'run pod --image=a' },
    { run: 'get pod' },
    { run: 'describe configmap one' },
    { run: 'describe service svc' },
  ],
  apply: [
    { run: 'apply -f {file}', file: deployment('a:1') },
    { run: 'apply -f {file}', file: deployment('a:1') },
    { run: 'apply -f {file}', file: deployment('a:2') },
    { run: 'apply -f {file} --dry-run=server', file: deployment('a:3') },
    { run: 'apply -f {file} --dry-run=client', file: deployment('a:3') },
    { run: 'diff -f {file}', file: deployment('a:2') },
    { run: 'diff -f {file}', file: deployment('a:4') },
    { run: 'get deploy web -o yaml' },
    { run: 'apply view-last-applied deployment/web' },
    { run: 'apply -f {file}', file: deployment('a:2', '\n  paused: maybe') },
    { run: 'apply -f {file} --server-side', file: deployment('a:5') },
    { run: 'apply -f {file} --server-side --force-conflicts', file: deployment('a:5') },
    { run: 'apply -f {file} --server-side --field-manager=other', file: deployment('a:6') },
    { run: 'apply -f {file} --server-side --field-manager=other --force-conflicts', file: deployment('a:6') },
    { run: 'diff -f {file} --server-side', file: deployment('a:6') },
    { run: 'apply -f {file} --server-side', file: configMap('new', '1') },
    { run: 'apply -f {file} --server-side', file: configMap('new', '1') },
    { run: 'apply -f {file} --prune -l app=pruned', file: configMap('pruned', '1') },
  ],
  'edit, patch, label, annotate, replace and scale': [
    { run: 'create -f {file}', file: deployment('a:1') },
    { run: 'edit deploy web', editor: 's/a:1/a:2/' },
    { run: 'get deploy web -o jsonpath={.spec.template.spec.containers[0].image}' },
    { run: 'edit deploy web', editor: 's/nothing/else/' },
    { run: 'edit deploy web', editor: 's/replicas: 2/replicas: two/' },
    {
      run: 'patch deploy web',
      more: [
        '-p',
        '{"spec":{"template":{"spec":{"containers":[{"name":"web","env":[{"name":"A","value":"b"}]}]}}}}',
      ],
    },
    {
      run: 'patch deploy web',
      more: [
        '-p',
        '{"spec":{"template":{"spec":{"containers":[{"name":"web","env":[{"name":"A","$patch":"delete"}]}]}}}}',
      ],
    },
    { run: 'patch deploy web --type=merge', more: ['-p', '{"spec":{"paused":true}}'] },
    { run: 'patch deploy web --type=merge', more: ['-p', '{"spec":{"paused":true}}'] },
    { run: 'patch deploy web --type=json', more: ['-p', '[{"op":"remove","path":"/spec/paused"}]'] },
    { run: 'patch deploy web --type=json', more: ['-p', '[{"op":"remove","path":"/spec/paused"}]'] },
    {
      run: 'patch deploy web --type=json',
      more: ['-p', '[{"op":"test","path":"/spec/replicas","value":9}]'],
    },
    { run: 'patch deploy none', more: ['-p', '{}'] },
    { run: 'label deploy web tier=front' },
    { run: 'label deploy web tier=back' },
    { run: 'label deploy web tier=back --overwrite' },
    { run: 'label deploy web tier-' },
    { run: 'label deploy web tier-' },
    { run: 'label deploy web', more: ['bad=a b'] },
    { run: 'annotate deploy web note=hi' },
    { run: 'annotate deploy web note=ho' },
    { run: 'annotate deploy web note-' },
    { run: 'set image deploy/web web=a:3' },
    { run: 'set env deploy/web A=b' },
    { run: 'scale deploy web --replicas=3' },
    { run: 'scale deploy web --replicas=4 --current-replicas=9' },
    { run: 'autoscale deploy web --min=1 --max=3' },
    { run: 'expose deploy web --port=80' },
    { run: 'get hpa,svc' },
    { run: 'create -f {file}', file: configMap('r', '1') },
    { run: 'replace -f {file}', file: configMap('r', '2') },
    { run: 'replace -f {file}', file: configMap('none', '2') },
    { run: 'replace --force -f {file}', file: configMap('r', '3') },
    { run: 'get cm r -o jsonpath={.data.a}' },
  ],
  'delete and wait': [
    {
      run: 'create -f {file}',
      file: `${configMap('a', '1')}---\n${configMap('b', '1')}---\n${configMap('c', '1')}`,
    },
    { run: 'delete cm a' },
    { run: 'delete cm a' },
    { run: 'delete cm a --ignore-not-found' },
    { run: 'delete cm -l app=b' },
    { run: 'delete -f {file} --dry-run=server', file: configMap('c', '1') },
    { run: 'delete -f {file}', file: configMap('c', '1') },
    { run: 'create -f {file}', file: deployment('a:1') },
    { run: 'wait deploy/web --for=condition=Available --timeout=1s' },
    {
      run: 'patch deploy web --subresource=status --type=merge',
      more: status(
        '{"observedGeneration":1,"replicas":2,"updatedReplicas":2,"readyReplicas":2,"availableReplicas":2,"conditions":[{"type":"Available","status":"True"},{"type":"Progressing","status":"True"}]}',
      ),
    },
    { run: 'wait deploy/web --for=condition=Available --timeout=5s' },
    { run: 'wait deploy/web --for=jsonpath={.status.replicas}=2 --timeout=5s' },
    { run: 'wait deploy/web --for=jsonpath={.status.replicas}=3 --timeout=1s' },
    { run: 'wait deploy/none --for=condition=Available --timeout=1s' },
    { run: 'wait deploy/web --for=create --timeout=1s' },
    { run: 'get deploy' },
    { run: 'rollout status deploy/web --timeout=5s' },
    { run: 'rollout history deploy/web' },
    { run: 'rollout pause deploy/web' },
    { run: 'rollout pause deploy/web' },
    { run: 'rollout resume deploy/web' },
    { run: 'rollout restart deploy/web' },
    { run: 'rollout undo deploy/web' },
    { run: 'rollout status deploy/web --timeout=1s' },
    { run: 'delete deploy web' },
    { run: 'delete all --all' },
  ],
  discovery: [
    { run: 'api-resources --api-group=apps' },
    { run: 'api-resources --namespaced=false --api-group=storage.k8s.io -o name' },
    { run: 'api-resources --api-group=rbac.authorization.k8s.io -o wide' },
    { run: 'explain deployment', isDescribed: true },
    { run: 'explain pod.spec.containers.ports --recursive', isDescribed: true },
    { run: 'explain cronjobs.spec.nothing' },
    { run: 'explain nothing' },
  ],
  auth: [
    { run: 'auth can-i list pods' },
    { run: 'auth can-i list pods --as=jane' },
    { run: 'create role reader --verb=get,list --resource=configmaps' },
    { run: 'create rolebinding reader --role=reader --user=jane' },
    { run: 'auth can-i list configmaps --as=jane' },
    { run: 'auth can-i create configmaps --as=jane' },
    { run: 'auth can-i get /version --as=jane' },
    { run: 'auth can-i get configmaps/one --as=jane' },
    { run: 'auth can-i --list --as=jane' },
    { run: 'get cm --as=jane' },
    { run: 'get secrets --as=jane' },
    { run: 'create cm x --as=jane' },
    { run: 'get cm --as=jane --as-group=devs -A' },
    { run: 'create serviceaccount robot' },
    { run: 'create token robot --duration=5m' },
    { run: 'create token none' },
    { run: 'auth whoami --as=jane --as-group=devs' },
    {
      run: 'auth reconcile -f {file}',
      file: 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: reader }\nrules: [{ apiGroups: [""], resources: [secrets], verbs: [get] }]',
    },
  ],
  nodes: [
    { run: 'create -f {file}', file: 'apiVersion: v1\nkind: Node\nmetadata: { name: "{id}" }' },
    { run: 'get node {id}' },
    { run: 'cordon {id}' },
    { run: 'cordon {id}' },
    { run: 'get node {id}' },
    { run: 'uncordon {id}' },
    { run: 'taint node {id} a=b:NoSchedule' },
    { run: 'taint node {id} a=b:NoSchedule' },
    { run: 'taint node {id} a-' },
    {
      run: 'create -f {file}',
      file: 'apiVersion: v1\nkind: Pod\nmetadata: { name: bare }\nspec: { nodeName: "{id}", containers: [{ name: a, image: a }] }',
    },
    { run: 'drain {id} --timeout=5s' },
    { run: 'drain {id} --force --grace-period=0 --timeout=5s' },
    { run: 'get pods' },
    { run: 'delete node {id}' },
  ],
  streams: [
    {
      run: 'create -f {file}',
      file: 'apiVersion: v1\nkind: Pod\nmetadata: { name: two }\nspec: { containers: [{ name: a, image: a }, { name: b, image: b }] }',
    },
    { run: 'exec none -- true' },
    { run: 'exec two -- true' },
    { run: 'exec two -c b -- true' },
    { run: 'exec two -c none -- true' },
    { run: 'exec two -c a --as=jane -- true' },
    { run: 'attach none' },
    { run: 'port-forward two 8080:80' },
    { run: 'cp two:/none {file}' },
    { run: 'get --raw /api/v1/namespaces/{namespace}/pods/two/exec?container=a&stdout=1' },
    { run: 'get --raw /api/v1/namespaces/{namespace}/pods/two/exec?container=none&stdout=1' },
    { run: 'get --raw /api/v1/namespaces/{namespace}/pods/two/attach?stdout=1' },
    { run: 'get --raw /api/v1/namespaces/{namespace}/pods/two/portforward?ports=:80' },
    { run: 'get --raw /api/v1/namespaces/{namespace}/pods/none/portforward' },
  ],
};
