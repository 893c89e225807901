/** The annotation `kubectl.kubernetes.io/default-container` in exec, attach, logs and copies. */
import { join } from 'node:path';
import { copyFrom, copyTo } from '@kgen/runtime/streams';
import { describe, expect, it } from 'vitest';
import { write } from './images.ts';
import { processes } from './processes.ts';
import { podsOf, startServer } from './support.ts';
import { temporaryFolder } from './tar-entries.ts';

interface Sent {
  readonly path: string;
  readonly container: string | null;
}

/** Starts a server of one pod, and returns its client and the requests for logs and streams. */
async function serving(pod: object | 'forbidden') {
  const sent: Sent[] = [];
  const note = (target = ''): void => {
    const { pathname, searchParams } = new URL(target, 'http://server');
    sent.push({ path: pathname.replace(/.*\/pods\//, ''), container: searchParams.get('container') });
  };
  const upgrade = processes(await temporaryFolder());
  const url = await startServer(
    (request, socket, head) => {
      note(request.url);
      // An attach has no command, and the process runs already.
      if (request.url?.includes('/attach')) request.url += '&command=true';
      upgrade(request, socket, head);
    },
    undefined,
    (request, response) => {
      const isPod = request.url?.endsWith('/pods/web-0') ?? false;
      if (!isPod) note(request.url);
      const status = { kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden' };
      response.writeHead(isPod && pod === 'forbidden' ? 403 : 200, {
        'content-type': isPod ? 'application/json' : 'text/plain',
      });
      response.end(isPod ? JSON.stringify(pod === 'forbidden' ? status : pod) : 'a line\n');
    },
  );
  return { pods: podsOf(url), sent };
}

const podWith = (annotation: string | undefined): object => ({
  metadata: {
    name: 'web-0',
    ...(annotation !== undefined && {
      annotations: { 'kubectl.kubernetes.io/default-container': annotation },
    }),
  },
  spec: {
    containers: [{ name: 'first' }, { name: 'main' }],
    initContainers: [{ name: 'sidecar' }],
    ephemeralContainers: [{ name: 'debugger' }],
  },
});

describe('the default container', () => {
  it.each<[string, string | undefined, string | null]>([
    ['of the annotation', 'main', 'main'],
    ['of the annotation, a sidecar', 'sidecar', 'sidecar'],
    ['of the annotation, an ephemeral one', 'debugger', 'debugger'],
    ['is that of the server without the annotation', undefined, null],
    ['is that of the server for a container that does not exist', 'other', null],
  ])('%s', async (_, annotation, want) => {
    const { pods, sent } = await serving(podWith(annotation));
    await pods.execText('web-0', ['true']);
    await (await pods.exec('web-0', { command: 'true' })).exit;
    (await pods.attach('web-0')).close();
    await pods.getLog('web-0');
    for await (const _line of pods.streamLog('web-0')) break;
    const local = await write(await temporaryFolder(), { file: 'x' });
    await copyTo(pods, 'web-0', join(local, 'file'), join(local, 'copy'));
    await copyFrom(pods, 'web-0', join(local, 'file'), join(local, 'copy'));
    expect(new Set(sent.map(({ path }) => path))).toEqual(
      new Set(['web-0/exec', 'web-0/attach', 'web-0/log']),
    );
    expect(new Set(sent.map(({ container }) => container))).toEqual(new Set([want]));
  });

  it('is not requested if the call names a container', async () => {
    const { pods, sent } = await serving(podWith('main'));
    await pods.execText('web-0', ['true'], { container: 'first' });
    await pods.getLog('web-0', { container: 'first' });
    expect(sent).toEqual([
      { path: 'web-0/exec', container: 'first' },
      { path: 'web-0/log', container: 'first' },
    ]);
  });

  it('is that of the server if the pod must not be read', async () => {
    const { pods, sent } = await serving('forbidden');
    expect(await pods.execText('web-0', ['true'])).toMatchObject({ code: 0 });
    expect(await pods.getLog('web-0')).toBe('a line\n');
    expect(sent.map(({ container }) => container)).toEqual([null, null]);
  });
});
