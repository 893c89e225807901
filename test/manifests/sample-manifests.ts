/** Manifests for the tests; each has a namespace of its own. */

/** Returns all objects of one program in the wrong order: dependencies come last. */
export function shop(namespace: string, group: string): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { part-of: ${namespace} } }
spec:
  replicas: 0
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "example.com/web:1" }] }
---
apiVersion: ${group}/v1
kind: Oven
metadata: { name: big, labels: { part-of: ${namespace} } }
spec: { degrees: 0o400, "on": "yes" }
---
# nothing here
---
apiVersion: v1
kind: List
items:
  - ${JSON.stringify(configMap('settings', namespace))}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ovens.${group}, labels: { part-of: ${namespace} } }
spec:
  group: ${group}
  scope: Namespaced
  names: { kind: Oven, plural: ovens, singular: oven, listKind: OvenList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { degrees: { type: integer }, "on": { type: string } }
---
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace}, labels: { part-of: ${namespace} } }
`;
}

/** Returns a ConfigMap with a label that marks the objects of one set. */
export function configMap(name: string, partOf: string, data: Readonly<Record<string, string>> = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { 'part-of': partOf } }, data };
}
