import { generateKeyPairSync, sign } from 'node:crypto';
import type { Sample, Samples } from './types.ts';

/** A certificate request for the common name `web`, signed with a discarded 256-bit key. */
const request = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIHIMHACAQAwDjEMMAoGA1UEAwwDd2ViMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD',
  'QgAEcQLH4bzaThsTDX7O9FtORLQyzqPwyr/oxTBBkosCw2eA2WnoroGWDRNHCrRi',
  '73gcaXLW2DbLJGX815nfqcO+pKAAMAoGCCqGSM49BAMCA0gAMEUCIAW8jS4FY+UO',
  'X9mr5IGf7CobIAQjZEFob7CBuAUiVf44AiEAzA0n//fxV+tWJRmp8WIDI0rG7d2l',
  'welnEs9akMb1Gzs=',
  '-----END CERTIFICATE REQUEST-----',
  '',
].join('\n');

/** Its Base64 content, without the PEM boundaries. */
const encoded = request.replace(/-----.*-----|\n/g, '');

/** Every keyword of a schema in a definition, with values that are `null`, empty or extreme. */
const schema = {
  type: 'object',
  description: '',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      'x-kubernetes-validations': [
        { rule: 'self.a == self.a', message: 'é', reason: 'FieldValueInvalid', fieldPath: '.a' },
      ],
      properties: {
        a: { type: 'string', default: '', maxLength: 100, pattern: '^\\d*$' },
        none: { type: 'string', nullable: true, enum: [null, '', 'a'] },
        nothing: {
          type: 'object',
          nullable: true,
          default: null,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        defaults: { type: 'object', properties: { b: { type: 'integer' } }, default: { b: 0 } },
        int: {
          type: 'integer',
          format: 'int64',
          minimum: -9_007_199_254_740_991,
          maximum: 1e15,
          multipleOf: 1,
        },
        float: { type: 'number', minimum: -0.5, exclusiveMinimum: true, maximum: 1e300, default: 1.5 },
        either: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        object: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'boolean' }, minItems: 0 },
        },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
          maxItems: 10,
          uniqueItems: false,
        },
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'integer', example: { a: [null] } } } },
  },
};

const definition: Sample = ({ name }) => ({
  metadata: { name: `things.${name}.example.com` },
  spec: {
    group: `${name}.example.com`,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing', shortNames: ['th'], categories: ['all'] },
    conversion: { strategy: 'None' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.int', statusReplicasPath: '.status.ready' },
        },
        additionalPrinterColumns: [{ name: 'Int', type: 'integer', jsonPath: '.spec.int', priority: 0 }],
        selectableFields: [{ jsonPath: '.spec.a' }],
      },
      {
        name: 'v1alpha1',
        served: false,
        storage: false,
        deprecated: true,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
});

const bundle: Sample = ({ authority }) => ({ spec: { trustBundle: authority } });

const pod = {
  signerName: 'example.com/own',
  podName: 'web-0',
  podUID: '5a1c8c9e-0000-4000-8000-000000000001',
  serviceAccountName: 'default',
  serviceAccountUID: '5a1c8c9e-0000-4000-8000-000000000002',
  nodeName: 'n1',
  nodeUID: '5a1c8c9e-0000-4000-8000-000000000003',
  maxExpirationSeconds: 3600,
};

const keys = generateKeyPairSync('ed25519');

/** A PodCertificateRequest, with the proof of possession of the key. */
const podRequest: Sample = () => ({
  spec: {
    ...pod,
    pkixPublicKey: keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    proofOfPossession: sign(null, Buffer.from(pod.podUID), keys.privateKey).toString('base64'),
  },
});

/** Samples of definitions and certificates. */
export const extensionSamples: Samples = {
  'apiextensions.k8s.io/v1/CustomResourceDefinition': definition,
  'certificates.k8s.io/v1/CertificateSigningRequest': () => ({
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: 'example.com/own',
      usages: ['digital signature', 'client auth'],
      expirationSeconds: 3600,
    },
  }),
  'certificates.k8s.io/v1/ClusterTrustBundle': bundle,
  'certificates.k8s.io/v1beta1/ClusterTrustBundle': bundle,
  'certificates.k8s.io/v1alpha1/ClusterTrustBundle': bundle,
  'certificates.k8s.io/v1/PodCertificateRequest': () => ({ spec: { ...pod, stubPKCS10Request: encoded } }),
  'certificates.k8s.io/v1beta1/PodCertificateRequest': podRequest,
};
