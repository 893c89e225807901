import { type apiextensionsV1, InformerFactory } from '@kgen/kubernetes';
import { condition, isInvalid } from '@kgen/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  Clientset as AppClientset,
  InformerFactory as AppInformerFactory,
} from '../../generated/crds/index.ts';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import { deadline, unique } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

const text: apiextensionsV1.JSONSchemaProps = { type: 'string' };

const schema: apiextensionsV1.JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: { type: 'object', required: ['appName', 'version'], properties: { appName: text, version: text } },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

/** A definition for which the repository also has a generated client. */
const myApps: apiextensionsV1.CustomResourceDefinition = {
  metadata: { name: 'myapps.my.domain' },
  spec: {
    group: 'my.domain',
    scope: 'Namespaced',
    names: { kind: 'MyApp', listKind: 'MyAppList', plural: 'myapps', singular: 'myapp' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: schema },
      },
    ],
  },
};

/** Registers tests of definitions of custom resources, with clients of custom and built-in kinds together. */
export function definitionTests(env: Env): void {
  describe('a definition', () => {
    it('is established, and clients of both outputs share connections and informers', async () => {
      const { clientset } = env;
      const definitions = clientset.apiextensionsV1.customResourceDefinitions();
      await definitions.create(myApps);
      const definition = await definitions.waitFor('myapps.my.domain', condition('Established'));
      expect(definition.status.acceptedNames?.kind).toBe('MyApp');
      expect(definition.spec.conversion).toEqual({ strategy: 'None' });
      await useBoth(env);
      await definitions.deleteAndWait('myapps.my.domain');
    });

    it('reports a schema that is not structural', async () => {
      const definitions = env.clientset.apiextensionsV1.customResourceDefinitions();
      const group = `${unique('group')}.example.com`;
      const error = await apiErrorOf(
        isInvalid,
        definitions.create({
          metadata: { name: `things.${group}` },
          spec: {
            group,
            scope: 'Namespaced',
            names: { kind: 'Thing', plural: 'things' },
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { properties: { spec: {} } } },
              },
            ],
          },
        }),
      );
      const place = 'spec.validation.openAPIV3Schema';
      expect(causesOf(error)).toContain(`${place}.type: FieldValueRequired`);
    });
  });
}

async function useBoth(env: Env): Promise<void> {
  const { clientset } = env;
  const namespace = await env.namespace();
  const apps = new AppClientset(clientset.rest);
  const app: MyApp = { metadata: { name: 'web' }, spec: { appName: 'web', version: '1' } };
  // A server sets the condition Established a moment before it serves the resource.
  const created = await vi.waitFor(() => apps.myV1.myApps(namespace).create(app), deadline);
  const owner = {
    apiVersion: created.apiVersion,
    kind: created.kind,
    name: 'web',
    uid: created.metadata.uid,
  };
  await clientset.coreV1
    .configMaps(namespace)
    .create({ metadata: { name: 'web', ownerReferences: [owner] } });

  const factory = new InformerFactory(clientset, { namespace });
  onTestFinished(() => factory.stop());
  const appFactory = new AppInformerFactory(factory, { namespace });
  const maps = factory.coreV1.configMaps();
  const informer = appFactory.myV1.myApps();
  await factory.start();
  await appFactory.waitForSync();
  expect(informer.lister.get(namespace, 'web')?.spec).toEqual({ appName: 'web', version: '1' });
  expect(maps.lister.get(namespace, 'web')?.metadata.ownerReferences).toEqual([owner]);
  await appFactory.stop();
}
