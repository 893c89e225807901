/**
 * ExpectedDifference differences between our types and those of openapi-typescript, and limits of both. For
 * all other values both accept and reject the same values as the schema.
 */
import { objectOf } from './definitions.ts';
import type { Probe } from './probe.ts';

/** A rule about probes, with the expected result of each of its probes. */
export interface ExpectedDifference {
  readonly about: (probe: Probe) => boolean;
  /** OpenAPI version of the documents. Default: both. */
  readonly dialect?: 2 | 3;
  /** Whether only some versions of Kubernetes have such values, so that the rule may match no probe. */
  readonly isRare?: true;
  /** Whether our types accept the value. */
  readonly kgen: boolean;
  /** Whether the types of openapi-typescript accept the value. */
  readonly openapi: boolean;
  readonly reason: string;
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const jsonSchema = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOr';

/** Definitions that accept any value. All others without properties are empty structs of Go. */
const freeForm: readonly string[] = ['io.k8s.apimachinery.pkg.runtime.RawExtension', `${meta}FieldsV1`];

/** Rules, at most one of which applies to a probe. */
export const expectedDifferences: readonly ExpectedDifference[] = [
  {
    about: ({ given }) => given === 'other name',
    kgen: false,
    openapi: true,
    reason: 'apiVersion and kind of a kind are the literals that its objects carry',
  },
  {
    about: ({ given }) => given === 'namespace',
    kgen: false,
    openapi: true,
    reason: 'an object that is in no namespace does not name one',
  },
  {
    about: ({ given, role }) => given === 'required only' && role.is === 'list',
    kgen: false,
    openapi: true,
    reason: 'servers send every list with metadata, regardless of the schema',
  },
  {
    about: ({ given, definition }) => given === 'unread' && !definition.endsWith('.ComponentStatusList'),
    kgen: false,
    openapi: true,
    reason:
      'items of a list were stored, so they have the members that the server sets; except component statuses',
  },
  {
    about: ({ given, definition }) => given === 'required only' && definition === `${meta}Status`,
    kgen: false,
    openapi: true,
    reason: 'apiVersion and kind distinguish a Status from other responses, so they are always present',
  },
  {
    about: ({ given, definition, path }) =>
      given === 'null' && definition === `${meta}ObjectMeta` && path === 'creationTimestamp',
    kgen: true,
    openapi: false,
    reason: 'Go writes the zero time of a template that was never stored as null',
  },
  {
    about: ({ given }) => given === 'fraction',
    kgen: true,
    openapi: true,
    reason: 'TypeScript has one type for numbers',
  },
  {
    about: ({ given }) => given === 'other literal',
    dialect: 3,
    kgen: true,
    openapi: false,
    reason: 'enumerations of servers are open: later versions add values, and published documents have none',
  },
  {
    about: ({ given, target }) => given === 'number' && target.endsWith('.resource.Quantity'),
    dialect: 3,
    kgen: false,
    openapi: true,
    reason: 'a quantity is a string, as servers return it',
  },
  {
    about: ({ given, target }) => given === 'wrong type' && target.endsWith('.intstr.IntOrString'),
    dialect: 2,
    kgen: true,
    openapi: false,
    reason: 'documents of version 2 cannot express that it may be a number too',
  },
  {
    about: ({ given, target }) => given === 'entries' && freeForm.includes(target),
    kgen: true,
    openapi: false,
    reason: 'it may contain anything; openapi-typescript considers an object without properties empty',
  },
  {
    about: ({ given, target }) => given === 'entries' && !freeForm.includes(target),
    kgen: false,
    openapi: false,
    reason: 'it has no fields in both types, although its schema accepts any',
  },
  {
    about: ({ given, target }) =>
      target === `${jsonSchema}Bool` && (given === 'string' || given === 'number' || given === 'list'),
    kgen: false,
    openapi: true,
    reason: 'its schema is empty; it is a JSON schema or a boolean',
  },
  {
    about: ({ given, target }) =>
      (target === `${jsonSchema}Array` || target === `${jsonSchema}StringArray`) &&
      (given === 'string' || given === 'number' || given === 'boolean'),
    kgen: false,
    openapi: true,
    reason: 'its schema is empty; it is a JSON schema or a list',
  },
  {
    about: ({ given, path, role }) => given === 'missing' && path === 'status' && role.is === 'kind',
    isRare: true,
    kgen: true,
    openapi: false,
    reason: 'a write cannot contain the status; in older versions one schema requires it nevertheless',
  },
  {
    about: ({ given, definition, value }) =>
      given === 'names' && definition === `${meta}ListMeta` && !('shardInfo' in objectOf(value)),
    isRare: true,
    kgen: false,
    openapi: true,
    reason: 'the runtime owns it, with the fields of the newest version of Kubernetes',
  },
];

/** Definitions that our types inline without a name. All except `Patch` are referenced by others. */
export const unnamed: readonly string[] = [
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  `${jsonSchema}Array`,
  `${jsonSchema}Bool`,
  `${jsonSchema}StringArray`,
  `${meta}FieldsV1`,
  `${meta}Patch`,
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
];
