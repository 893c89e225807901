// A webhook server on @kgen/controller: a default and a validation of Rings.
// Arguments: the folder of the certificate, and the port.
import { Manager } from '@kgen/controller';
import { defaults, validates, webhooks } from '@kgen/controller/webhooks';
import { defineResource } from '@kgen/runtime/client';
import { invalidValue } from '@kgen/runtime/objects';

const [, , directory, port] = process.argv;
const none = () => undefined;
const rings = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Ring',
  listKind: 'RingList',
  plural: 'rings',
  singular: 'ring',
  scope: 'Namespaced',
  verbs: [],
});
// No request is sent to the API server.
const manager = new Manager(
  { server: 'http://127.0.0.1:1' },
  { log: { debug: none, info: none, warn: console.error, error: console.error } },
);
manager.add(
  webhooks({
    port: Number(port),
    host: '127.0.0.1',
    certificates: { directory },
    drainMs: 0,
    handlers: [
      defaults(rings, {
        handle: ({ spec }) => (spec.version ? undefined : { spec: { ...spec, version: '7.4' } }),
      }),
      validates(rings, {
        handle: ({ spec }, { old }) =>
          old !== undefined && spec.size < old.spec.size
            ? [invalidValue('spec.size', spec.size, 'must not shrink')]
            : [],
      }),
    ],
  }),
);
await manager.run();
