/** Requests with unknown and duplicate fields, in every format and for every value of `fieldValidation`. */
import type { Step } from './step.ts';

const widgets = '/apis/sequences.example.com/v1/namespaces/{ns}/widgets';
const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

const selector = '"selector":{"matchLabels":{"app":"x"}}';
const container = '{"name":"c","image":"i","imagePullPolicy":"Always","imagePullPolicy":"Never","more":1}';
const template = `"template":{"metadata":{"labels":{"app":"x"}},"spec":{"containers":[${container}]}}`;
const deployment = (name: string, spec: string): string =>
  `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"${name}","more":1},"spec":{${spec}${selector},${template}}}`;
const deploymentYaml = (name: string, more: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: 1
  replicas: 2
  selector:
    matchLabels: {app: x, "app": x}
${more}  template:
    metadata: {labels: {app: x}}
    spec:
      containers:
      - name: c
        image: i
        imagePullPolicy:
          Always
        imagePullPolicy:

          Never
`;

const duplicates = '"size":1,"size":2,"more":1,"more":2,"ports":[{"port":1,"port":2,"more":3}]';
const widget = (name: string): string =>
  `{"apiVersion":"sequences.example.com/v1","kind":"Widget","metadata":{"name":"${name}","more":1,"labels":{"x":"1","x":"2"}},"more":1,"spec":{${duplicates}}}`;
const widgetYaml = (name: string, more: string): string => `apiVersion: sequences.example.com/v1
kind: Widget
metadata: {name: ${name}}
spec:
  size: 1
  "size": 2
${more}  ports:
  - port: 1
    port: 2
`;

const patch =
  '{"metadata":{"labels":{"a":"1","a":"2"}},"spec":{"replicas":1,"replicas":2,"more":1,"more":2,"template":{"spec":{"more":1}}}}';
const operations =
  '[{"op":"add","path":"/spec/more","value":1},{"op":"add","op":"replace","path":"/spec/replicas","value":3,"more":1}]';
const scale =
  '{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"base","namespace":"{ns}","more":1},"spec":{"replicas":2,"replicas":3,"more":1}}';

const yaml = 'application/yaml';
const apply = 'application/apply-patch+yaml';

type Request = readonly [method: Step['method'], path: string, body: string, type?: string];

const requests: readonly Request[] = [
  ['POST', deployments, deployment('new', '"replicas":1,"replicas":2,"more":1,"more":2,')],
  ['POST', deployments, deploymentYaml('new', '  more: 1\n'), yaml],
  ['PUT', `${deployments}/base`, deployment('base', '"more":{"a":1,"a":2},')],
  ['PUT', `${deployments}/base`, deploymentYaml('base', '  more: {a: 1, a: 2}\n'), yaml],
  ['PUT', `${deployments}/base/status`, deployment('base', '"more":1,')],
  ['PATCH', `${deployments}/base`, patch, 'application/merge-patch+json'],
  ['PATCH', `${deployments}/base`, patch, 'application/strategic-merge-patch+json'],
  ['PATCH', `${deployments}/base`, operations, 'application/json-patch+json'],
  ['PATCH', `${deployments}/base`, deploymentYaml('base', ''), apply],
  ['PATCH', `${deployments}/new`, deploymentYaml('new', ''), apply],
  ['PUT', `${deployments}/base/scale`, scale],
  ['PATCH', `${deployments}/base/scale`, '{"spec":{"replicas":2,"more":1}}', 'application/merge-patch+json'],
  ['POST', widgets, widget('new')],
  ['POST', widgets, widgetYaml('new', '  more: 1\n'), yaml],
  ['PUT', `${widgets}/base`, widget('base')],
  ['PATCH', `${widgets}/base`, patch, 'application/merge-patch+json'],
  ['PATCH', `${widgets}/base`, operations, 'application/json-patch+json'],
  ['PATCH', `${widgets}/base`, widgetYaml('base', ''), apply],
  ['PATCH', `${widgets}/new`, widgetYaml('new', ''), apply],
  ['POST', '/api/v1/namespaces/{ns}/configmaps', 'metadata: {name: n}\ndata: {a: "yes"}\n', yaml],
  ['POST', '/api/v1/namespaces/{ns}/configmaps', 'metadata: {name: c}\ndata: {a: yes}\n', yaml],
  ['POST', reviews, '{"more":1,"spec":{"more":1,"nonResourceAttributes":{"path":"/","path":"/api"}}}'],
  [
    'POST',
    '/api/v1/namespaces/{ns}/pods/none/eviction',
    '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"none","name":"none"},"more":1}',
  ],
];

/** All requests, behind those that create the objects. */
export const strictSteps: readonly Step[] = [
  { method: 'POST', path: deployments, body: deployment('base', '') },
  { method: 'POST', path: widgets, body: widget('base') },
  ...['Strict', 'Warn', 'Ignore'].flatMap((fieldValidation) =>
    requests.map(([method, path, body, type]): Step => {
      const manager: Readonly<Record<string, string>> =
        type === apply ? { fieldManager: 'x', force: 'true' } : {};
      const query = { dryRun: 'All', fieldValidation, ...manager };
      return { method, path, query, body, ...(type === undefined ? {} : { type }) };
    }),
  ),
];
