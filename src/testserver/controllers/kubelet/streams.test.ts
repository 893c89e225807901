import { request as httpRequest } from 'node:http';
import { type PodClient, pods } from '@kgen/kubernetes/core/v1';
import { RESTClient, resource } from '@kgen/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { start } from '../../client.fixture.ts';
import type { ContainerAction, ProgramContainer } from './programs.ts';
import type { PodRule } from './rules.ts';

/** Writes its input in upper case; its main process logs each line of it, and then `end`. */
const program: PodRule = {
  *run({ stdin, log }: ProgramContainer) {
    log('begin');
    for (;;) {
      const text = stdin();
      if (text === undefined) break;
      if (text === '') yield 5;
      else log(text.trim());
    }
    log('end');
    return 0;
  },
  *handle({ pod }: ProgramContainer, { type, stdin, stdout }: ContainerAction) {
    if (type === 'http') stdout(`served by ${pod}`);
    if (type !== 'exec') return 0;
    for (let text = stdin(); text !== undefined; text = stdin()) {
      stdout(text.toUpperCase());
      if (text === '') yield 5;
    }
    return 4;
  },
};

async function podsWith(container: object): Promise<PodClient> {
  const server = await start({ controllers: true, pods: [program] });
  const rest = new RESTClient(server.config);
  onTestFinished(() => rest.close());
  const client = resource(rest, pods).in('default');
  const containers = [{ name: 'main', image: 'a', ...container }];
  await client.create({ metadata: { name: 'web-0' }, spec: { restartPolicy: 'Never', containers } });
  const phase = async (): Promise<string | undefined> => (await client.get('web-0')).status?.phase;
  await expect.poll(phase).toMatch(/Running|Succeeded/);
  return client;
}

async function outputOf(stream: AsyncIterable<Buffer> | null): Promise<string> {
  let output = '';
  for await (const chunk of stream ?? []) output += chunk.toString();
  return output;
}

test('a command of a program reads its input until the end', async () => {
  const client = await podsWith({ stdin: true });
  const stdin = 'é'.repeat(10_000);
  expect(await client.execText('web-0', ['upper'], { stdin })).toEqual({
    stdout: 'É'.repeat(10_000),
    stderr: '',
    code: 4,
  });
});

test('a program reads the input of the first client that attaches, which receives its log', async () => {
  const client = await podsWith({ stdin: true, stdinOnce: true });
  const session = await client.attach('web-0', { stdin: true });
  const output = outputOf(session.stdout);
  session.stdin?.end('one\n');
  expect(await output).toBe('one\nend\n');
  expect((await session.exit).code).toBe(0);
  await expect.poll(() => client.getLog('web-0')).toBe('begin\none\nend\n');
});

test('a client whose input ends detaches from a program that continues', async () => {
  const client = await podsWith({ stdin: true });
  const session = await client.attach('web-0', { stdin: true });
  session.stdin?.end('one\n');
  await session.exit;
  await expect.poll(() => client.getLog('web-0')).toBe('begin\none\n');
  expect((await client.get('web-0')).status?.phase).toBe('Running');
});

test('a container without input reads its end', async () => {
  const client = await podsWith({});
  await expect.poll(() => client.getLog('web-0')).toBe('begin\nend\n');
  const session = await client.attach('web-0');
  await expect(session.exit).rejects.toThrow('container main is not running');
});

test('a program handles requests to a forwarded port', async () => {
  const client = await podsWith({ stdin: true });
  const forwarding = await client.portForward('web-0', { ports: [':80'] });
  onTestFinished(() => forwarding.close());
  const port = forwarding.ports[0]?.local ?? 0;
  const body = await new Promise<string>((resolve, reject) => {
    httpRequest({ port, path: '/', agent: false }, (response) => resolve(outputOf(response)))
      .on('error', reject)
      .end();
  });
  expect(body).toBe('served by web-0');
});
