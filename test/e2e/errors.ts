import { isBadRequest, isNotFound, isUnauthorized, isUnsupportedMediaType } from '@kgen/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Clientset } from '../../generated/crds/index.ts';
import { apiErrorOf, failure } from '../support/errors.ts';
import type { Env } from './env.ts';

const object = { metadata: { name: 'a' }, spec: { appName: 'a', version: '1' } };

/** Registers tests of requests that every server rejects, and of the resulting errors. */
export function errorTests(env: Env): void {
  describe('an error of the server', () => {
    it('is returned for an invalid token', async () => {
      const { server, tls } = env.config;
      const { ca } = tls ?? {};
      const stranger = new Clientset({
        server,
        ...(ca && { tls: { ca } }),
        auth: { token: 'made-up-token' },
      });
      onTestFinished(() => stranger.close());
      const error = await apiErrorOf(isUnauthorized, stranger.myV1.myApps('default').list());
      expect(error).toMatchObject({ code: 401, reason: 'Unauthorized' });
      expect(JSON.stringify([error.message, error.stack, error])).not.toContain('made-up-token');
    });

    it('is returned for a namespace that does not exist', async () => {
      const apps = env.clientset.myV1.myApps('nowhere');
      const error = await apiErrorOf(isNotFound, apps.create(object));
      expect(error.details).toMatchObject({ kind: 'namespaces', name: 'nowhere' });
      await apiErrorOf(isNotFound, apps.get('a'));
      expect((await apps.list()).items).toEqual([]);
    });

    it('is returned for unknown fields with strict field validation', async () => {
      const apps = env.clientset.myV1.myApps(await env.namespace());
      const odd = { ...object, spec: { ...object.spec, colour: 'red' } };
      const error = await apiErrorOf(isBadRequest, apps.create(odd, { fieldValidation: 'Strict' }));
      expect(error.message).toContain('spec.colour');
      const created = await apps.create(odd, { fieldValidation: 'Ignore' });
      expect(created.spec).toEqual(object.spec);
    });

    it('is returned for a patch type that custom resources do not support', async () => {
      const apps = env.clientset.myV1.myApps(await env.namespace());
      await apps.create(object);
      const options: object = { type: 'strategic' };
      await apiErrorOf(isUnsupportedMediaType, apps.patch('a', { spec: { version: '2' } }, options));
    });
  });

  mistakeTests(env);
}

function mistakeTests(env: Env): void {
  describe('an error without a request', () => {
    it.each(['', '.', '..', 'a/b'])('is thrown for the namespace %j', (namespace) => {
      expect(() => env.clientset.myV1.myApps(namespace)).toThrow(TypeError);
    });

    it.each(['', '..', 'a/b', '../../secrets/b'])('is thrown for the name %j', async (name) => {
      const apps = env.clientset.myV1.myApps(await env.namespace());
      expect(await failure(apps.get(name))).toBeInstanceOf(TypeError);
      expect(await failure(apps.delete(name))).toBeInstanceOf(TypeError);
    });

    it('is thrown for an object of another namespace or version', async () => {
      const apps = env.clientset.myV1.myApps(await env.namespace());
      const elsewhere = { ...object, metadata: { name: 'a', namespace: 'default' } };
      expect(await failure(apps.create(elsewhere))).toBeInstanceOf(TypeError);
      // @ts-expect-error the generated type has one version
      const created = apps.create({ ...object, apiVersion: 'my.domain/v2' });
      expect(await failure(created)).toBeInstanceOf(TypeError);
      expect((await apps.list()).items).toEqual([]);
    });
  });
}
