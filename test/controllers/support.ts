import { Manager, type ManagerOptions } from '@kgen/controller';
import { startTestServer, type TestServer, type TestServerOptions } from '@kgen/testserver';
import { onTestFinished } from 'vitest';
import { Clientset } from '../../generated/crds/clientset.ts';
import { InformerFactory } from '../../generated/crds/informers.ts';

/** An entry of the log. */
export interface Entry {
  readonly level: string;
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

/** A server in memory, a manager, and what controllers need. */
export interface World {
  readonly server: TestServer;
  readonly manager: Manager;
  readonly clientset: Clientset;
  readonly informers: InformerFactory;
  /** Client of a user, whose writes are not recorded. */
  readonly user: Clientset;
  readonly log: readonly Entry[];
  /** Runs the manager until the test ends, or `stop`. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server with the definitions of `crds/` and others, and a manager. Both end with the test. */
export async function world(
  options: Partial<ManagerOptions> = {},
  definitions: TestServerOptions['crds'] = [],
  as?: TestServerOptions['as'],
): Promise<World> {
  const server = await startTestServer({
    crds: ['crds/*.yaml', ...definitions],
    namespaces: ['shop'],
    ...(as !== undefined && { as }),
  });
  const log: Entry[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void log.push({ level, message, fields: { ...fields } });
  const manager = new Manager(server.config, {
    name: 'test',
    handleSignals: false,
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    ...options,
  });
  const clientset = manager.client(Clientset);
  const user = new Clientset(server.admin);
  const abort = new AbortController();
  let running: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    abort.abort();
    await running;
  };
  onTestFinished(async () => {
    await stop().catch(() => undefined);
    await user.close();
    await server.stop();
  });
  return {
    server,
    manager,
    clientset,
    informers: new InformerFactory(clientset),
    user,
    log,
    run() {
      running ??= manager.run({ signal: abort.signal });
      running.catch(() => undefined);
      return running;
    },
    stop,
  };
}

/** Definition of Leases: the server in memory has no built-in types. */
export const leases = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: leases.coordination.k8s.io
  annotations: { api-approved.kubernetes.io: https://github.com/kubernetes/kubernetes }
spec:
  group: coordination.k8s.io
  scope: Namespaced
  names: { kind: Lease, plural: leases, singular: lease }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
