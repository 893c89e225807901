import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll } from 'vitest';
import { badInputTests } from './suite.ts';

let server: TestServer | undefined;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

badInputTests('malformed requests to the server in memory', () => server?.config ?? { server: '' });
