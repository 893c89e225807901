// Programs of the bench of the test server: each runs in a process of its own and prints one JSON object.
import { Agent, request as httpRequest } from 'node:http';

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'pods.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { kind: 'Pod', plural: 'pods' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const path = '/apis/bench.example.com/v1/namespaces/default/pods';
const podsPath = '/api/v1/namespaces/default/pods';

/** A small object, as those of most custom resources. */
function small(name) {
  return {
    apiVersion: 'bench.example.com/v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'web', tier: 'front' } },
    spec: { replicas: 3, image: 'registry.example.com/web:1.27', paused: false, hosts: ['a', 'b'] },
  };
}

/** A pod, about 4 kB of JSON as it is stored. */
function pod(name) {
  const variables = Array.from({ length: 12 }, (_, index) => ({
    name: `VARIABLE_${index}`,
    value: `${name}-${index}`,
  }));
  const condition = (type) => ({ type, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: { app: 'web', 'pod-template-hash': '6d4f9c7b5d', tier: 'front' },
      annotations: { 'example.com/checksum': `sha256:${name}${'0123456789abcdef'.repeat(4)}` },
    },
    spec: {
      nodeName: `node-${name.length}`,
      serviceAccountName: 'default',
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      containers: [
        {
          name: 'web',
          image: 'registry.example.com/web:1.27',
          env: variables,
          ports: [{ containerPort: 8080, protocol: 'TCP' }],
          resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
          livenessProbe: { httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' }, periodSeconds: 10 },
          volumeMounts: [{ name: 'token', mountPath: '/var/run/secrets', readOnly: true }],
        },
      ],
      volumes: [{ name: 'token', projected: { defaultMode: 420, sources: [{ configMap: { name: 'ca' } }] } }],
      tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }],
    },
    status: {
      phase: 'Running',
      hostIP: '10.0.0.1',
      podIP: `10.1.0.${name.length}`,
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
      containerStatuses: [
        { name: 'web', ready: true, restartCount: 0, image: 'web:1.27', containerID: `containerd://${name}` },
      ],
    },
  };
}

function operation(verb) {
  return { verb, resource: 'pods', namespace: 'default' };
}

async function create(server, body, to = path) {
  const response = await server.transport({
    method: 'POST',
    path: to,
    query: [],
    headers: { authorization: `Bearer ${server.config.auth.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    operation: operation('create'),
  });
  if (response.status !== 201) throw new Error(`create: ${response.status}`);
  for await (const _ of response.body);
}

const rates = (count, ms) => (count * 1000) / ms;

const programs = {
  /** Creates within the process, one after the other. */
  async creates({ startTestServer }, { count }) {
    const server = await startTestServer({ crds: [crd] });
    for (let index = 0; index < count / 4; index += 1) await create(server, small(`warm-${index}`));
    const [started, cpu] = [performance.now(), process.cpuUsage()];
    for (let index = 0; index < count; index += 1) await create(server, small(`web-${index}`));
    const perSecond = rates(count, performance.now() - started);
    const { user, system } = process.cpuUsage(cpu);
    await server.stop();
    return { perSecond, perCpuSecond: rates(count, (user + system) / 1000) };
  },

  /** A server for the clients of other processes; ends with its input. */
  async serve({ startTestServer }) {
    const server = await startTestServer({ crds: [crd] });
    console.log(JSON.stringify({ url: server.url, token: server.config.auth.token }));
    process.stdin.resume();
    await new Promise((resolve) => process.stdin.once('end', resolve));
    await server.stop();
    return undefined;
  },

  /** Creates over HTTP, 16 at a time. */
  async http(_, { url, token, count }) {
    const { Pool } = await import('undici');
    const pool = new Pool(url, { connections: 16 });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = async (body) => {
      const response = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
      await response.body.dump();
      if (response.statusCode !== 201) throw new Error(`create: ${response.statusCode}`);
    };
    const run = async (prefix, total) => {
      let next = 0;
      const worker = async () => {
        while (next < total) await post(small(`${prefix}-${next++}`));
      };
      await Promise.all(Array.from({ length: 16 }, worker));
    };
    await run('warm', count / 4);
    const started = performance.now();
    await run('web', count);
    const perSecond = rates(count, performance.now() - started);
    await pool.close();
    return { perSecond };
  },

  /** Watches within the process see changes that are made one after the other. */
  async fanout({ startTestServer }, { watchers, changes }) {
    const server = await startTestServer({ crds: [crd] });
    const follow = async () => {
      const response = await server.transport({
        method: 'GET',
        path,
        query: [['watch', 'true']],
        headers: { authorization: `Bearer ${server.config.auth.token}` },
        operation: operation('watch'),
        stream: true,
      });
      return async () => {
        let lines = 0;
        for await (const chunk of response.body) {
          for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
          if (lines >= changes) return;
        }
      };
    };
    const readers = await Promise.all(Array.from({ length: watchers }, follow));
    const started = performance.now();
    const done = Promise.all(readers.map((read) => read()));
    for (let index = 0; index < changes; index += 1) await create(server, small(`web-${index}`));
    await done;
    const ms = performance.now() - started;
    await server.stop();
    return { ms };
  },

  /** Watches over HTTP of a server in another process. */
  async 'http-fanout'(_, { url, token, watchers, changes }) {
    const headers = { Authorization: `Bearer ${token}` };
    const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
    const follow = () =>
      new Promise((resolve, reject) => {
        const request = httpRequest(`${url}${path}?watch=true`, { agent, headers }, (response) => {
          let lines = 0;
          const done = new Promise((all) => {
            response.on('data', (chunk) => {
              for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
              if (lines >= changes) all();
            });
          });
          resolve({ done, request });
        });
        request.on('error', reject);
        request.end();
      });
    const followers = [];
    for (let index = 0; index < watchers; index += 50)
      followers.push(...(await Promise.all(Array.from({ length: 50 }, follow))));
    const started = performance.now();
    const { perSecond } = await programs.http(_, { url, token, count: changes * 0.8 });
    await Promise.all(followers.map(({ done }) => done));
    const ms = performance.now() - started;
    for (const { request } of followers) request.on('error', () => {}).destroy();
    agent.destroy();
    return { ms, perSecond };
  },

  /** Heap per stored object, relative to its JSON. */
  async memory({ startTestServer }, { count }) {
    const server = await startTestServer({ crds: [crd] });
    for (let index = 0; index < 100; index += 1) await create(server, pod(`warm-${index}`), podsPath);
    const heap = () => {
      for (let round = 0; round < 4; round += 1) globalThis.gc();
      const { heapUsed, external, arrayBuffers } = process.memoryUsage();
      return heapUsed + Math.max(external, arrayBuffers);
    };
    const response = async (name) => {
      const { body } = await server.transport({
        method: 'GET',
        path: `${podsPath}/${name}`,
        query: [],
        headers: { authorization: `Bearer ${server.config.auth.token}` },
        operation: operation('get'),
      });
      const chunks = [];
      for await (const chunk of body) chunks.push(chunk);
      return Buffer.concat(chunks).byteLength;
    };
    const before = heap();
    for (let index = 0; index < count; index += 1) await create(server, pod(`web-${index}`), podsPath);
    server.requests.clear();
    const bytes = (heap() - before) / count;
    const json = await response('web-0');
    await server.stop();
    return { bytes, json, ratio: bytes / json };
  },

  /** Start of the first and of the second server, each with its first response, after the import. */
  async start({ startTestServer }) {
    const first = async () => {
      const started = performance.now();
      const server = await startTestServer({ crds: [crd] });
      const get = (resolve, reject) => {
        const headers = { Authorization: `Bearer ${server.config.auth.token}` };
        httpRequest(server.url + path, { headers }, (response) => {
          response.resume();
          response.on('end', resolve);
        })
          .on('error', reject)
          .end();
      };
      await new Promise(get);
      const ms = performance.now() - started;
      await server.stop();
      return ms;
    };
    return { first: await first(), second: await first() };
  },
};

const [name, module, settings] = process.argv.slice(2);
const result = await programs[name](await import(module), JSON.parse(settings ?? '{}'));
if (result !== undefined) console.log(JSON.stringify(result));
