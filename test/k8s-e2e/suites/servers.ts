/** Servers that suites of others run against. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControlPlane } from '@kgen/testing';
import { startTestServer, type TestServer, type TestServerOptions } from '@kgen/testserver';

/** The server in memory, or etcd with kube-apiserver. */
export type ServerName = 'memory' | 'real';

/** A server that runs. */
export interface Server {
  /** Folder with the file `kubeconfig`, and for the files of a suite. */
  readonly folder: string;
  /** Path of the kubeconfig of an administrator. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Starts a server; the options are those of the one in memory, for which `prepare` is called. */
export async function openServer(
  name: ServerName,
  options: TestServerOptions,
  controllers: boolean,
  prepare: (server: TestServer) => void = () => undefined,
): Promise<Server> {
  const server =
    name === 'memory'
      ? await startMemory({ ...options, controllers }, prepare)
      : await startControlPlane({
          controllerManager: controllers,
          apiServerFlags: ['--runtime-config=api/all=true', '--allow-privileged=true'],
        });
  const folder = await mkdtemp(join(tmpdir(), 'kgen-e2e-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, server.kubeconfig, { mode: 0o600 });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, kubeconfig, stop };
}

async function startMemory(
  options: TestServerOptions,
  prepare: (server: TestServer) => void,
): Promise<TestServer> {
  const server = await startTestServer(options);
  prepare(server);
  return server;
}
