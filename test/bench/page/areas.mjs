// Areas of the page of benchmarks: title, parts of `npm run bench`, and what their programs do.

/**
 * @type {readonly { readonly id: string, readonly title: string, readonly parts: readonly string[], readonly text: string }[]}
 */
export const areas = [
  {
    id: 'operators',
    title: 'Operators',
    parts: ['operators', 'webhooks'],
    text: `One operator (a Deployment and a status for each Foo) on kgen, as \`kgen build\` bundles it, on controller-runtime, on kube-rs,
by hand on the informers of client-node, and on kubernetes-fluent-client, the client of Pepr. Each runs on a real kube-apiserver of its own
until all Foos have converged. Webhooks are compared with those of controller-runtime.`,
  },
  {
    id: 'requests',
    title: 'Requests and streams',
    parts: ['rest', 'connections', 'streams'],
    text: `Small requests over HTTPS to a server with a constant response and to a real kube-apiserver. Bare undici is the floor: the same
requests with its pool, \`JSON.parse\` and \`JSON.stringify\`. client-node and kubernetes-fluent-client open a connection for each request as shipped.`,
  },
  {
    id: 'lists',
    title: 'Lists, watches and informers',
    parts: ['list', 'informers', 'events', 'projection', 'large', 'lister', 'days', 'skim'],
    text: `Pods of 5 kB. The floors are undici with one \`JSON.parse\` for a list and a bare loop over the lines for a watch; peers are client-go
and client-node. The event-loop delay is the longest time in which the process did nothing else.`,
  },
  {
    id: 'protobuf',
    title: 'Protobuf',
    parts: ['protobuf'],
    text: `The codec beside \`JSON.parse\` and \`JSON.stringify\` of the same objects, beside protobufjs, and beside the codec of Kubernetes in Go.`,
  },
  {
    id: 'generator',
    title: 'Generator',
    parts: ['generators', 'crds', 'workflows', 'api'],
    text: `Processor time of a whole run, with the start of Node.js. kgen, kubernetes-fluent-client and hey-api write clients;
cdk8s, json-schema-to-typescript and openapi-typescript write types.`,
  },
  {
    id: 'packages',
    title: 'Packages',
    parts: ['kubernetes', 'start'],
    text: `Size, start and type-check of what a program imports, beside client-node.`,
  },
  {
    id: 'controllers',
    title: 'Queue and event loop',
    parts: ['queue', 'starvation', 'replay'],
    text: `Operations of the queue, and the renewals of leases while the event loop is blocked.`,
  },
  {
    id: 'tests',
    title: 'Test server and simulation',
    parts: ['testserver', 'simulate', 'simulate-rate'],
    text: `The server in memory beside kube-apiserver with etcd, and the simulation of operators.`,
  },
];
