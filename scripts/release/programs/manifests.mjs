// Applies objects of any kind that are written in YAML.
import { strict as assert } from 'node:assert';
import { loadConfig, RESTClient } from '@kgen/runtime';
import { applyManifests } from '@kgen/runtime/manifests';

const manifests = `
apiVersion: my.domain/v1
kind: MyApp
metadata: { name: web, namespace: shop }
spec: { appName: web, version: 1.0.0 }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: manifests, namespace: shop }
`;
const rest = new RESTClient(await loadConfig());
const results = await applyManifests(rest, manifests, { fieldManager: 'release' });
assert.deepEqual(results.map(({ action }) => action).sort(), ['created', 'created']);
await rest.close();
