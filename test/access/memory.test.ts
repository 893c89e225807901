import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll } from 'vitest';
import { metricsTests } from './metrics.ts';
import { permissionTests } from './suite.ts';

let server: TestServer | undefined;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

permissionTests('permissions on the server in memory', () => server?.config ?? { server: '' });
metricsTests('metrics with the server in memory', () => server?.config ?? { server: '' });
