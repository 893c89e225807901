/**
 * Intended differences between our types and those of openapi-typescript, and limits of both. For all other
 * values both accept and reject the same values as the schema.
 */
import { objectOf } from './document.ts';
import type { Probe } from './probe.ts';

/** A rule about probes, with the expected result of each of its probes. */
export interface Intended {
  readonly about: (probe: Probe) => boolean;
  /** OpenAPI version of the documents. Default: both. */
  readonly dialect?: 2 | 3;
  /** Whether only some versions of Kubernetes have such values, so that the rule may match no probe. */
  readonly isSeldom?: true;
  /** Whether our types accept the value. */
  readonly ours: boolean;
  /** Whether the types of openapi-typescript accept the value. */
  readonly witness: boolean;
  readonly reason: string;
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const jsonSchema = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOr';

/** Definitions that accept any value. All others without properties are empty structs of Go. */
const freeForm: readonly string[] = ['io.k8s.apimachinery.pkg.runtime.RawExtension', `${meta}FieldsV1`];

/** Rules, at most one of which applies to a probe. */
export const intended: readonly Intended[] = [
  {
    about: ({ given }) => given === 'other name',
    ours: false,
    witness: true,
    reason: 'apiVersion and kind of a kind are the literals that its objects carry',
  },
  {
    about: ({ given }) => given === 'namespace',
    ours: false,
    witness: true,
    reason: 'an object that is in no namespace does not name one',
  },
  {
    about: ({ given, role }) => given === 'required only' && role.is === 'list',
    ours: false,
    witness: true,
    reason: 'servers send every list with metadata, regardless of the schema',
  },
  {
    about: ({ given, definition }) => given === 'unread' && !definition.endsWith('.ComponentStatusList'),
    ours: false,
    witness: true,
    reason:
      'items of a list were stored, so they have the members that the server sets; except component statuses',
  },
  {
    about: ({ given, definition }) => given === 'required only' && definition === `${meta}Status`,
    ours: false,
    witness: true,
    reason: 'apiVersion and kind distinguish a Status from other responses, so they are always present',
  },
  {
    about: ({ given }) => given === 'fraction',
    ours: true,
    witness: true,
    reason: 'TypeScript has one type for numbers',
  },
  {
    about: ({ given }) => given === 'other literal',
    dialect: 3,
    ours: true,
    witness: false,
    reason:
      'enumerations of servers are open: later versions add values, and published documents have none',
  },
  {
    about: ({ given, target }) => given === 'number' && target.endsWith('.resource.Quantity'),
    dialect: 3,
    ours: false,
    witness: true,
    reason: 'a quantity is a string, as servers return it',
  },
  {
    about: ({ given, target }) => given === 'wrong type' && target.endsWith('.intstr.IntOrString'),
    dialect: 2,
    ours: true,
    witness: false,
    reason: 'documents of version 2 cannot express that it may be a number too',
  },
  {
    about: ({ given, target }) => given === 'entries' && freeForm.includes(target),
    ours: true,
    witness: false,
    reason:
      'it may contain anything; openapi-typescript considers an object without properties empty',
  },
  {
    about: ({ given, target }) => given === 'entries' && !freeForm.includes(target),
    ours: false,
    witness: false,
    reason: 'it has no fields in both types, although its schema accepts any',
  },
  {
    about: ({ given, target }) =>
      target === `${jsonSchema}Bool` && (given === 'string' || given === 'number' || given === 'list'),
    ours: false,
    witness: true,
    reason: 'its schema is empty; it is a JSON schema or a boolean',
  },
  {
    about: ({ given, target }) =>
      (target === `${jsonSchema}Array` || target === `${jsonSchema}StringArray`) &&
      (given === 'string' || given === 'number' || given === 'boolean'),
    ours: false,
    witness: true,
    reason: 'its schema is empty; it is a JSON schema or a list',
  },
  {
    about: ({ given, path, role }) => given === 'missing' && path === 'status' && role.is === 'kind',
    isSeldom: true,
    ours: true,
    witness: false,
    reason:
      'a write cannot contain the status; in older versions one schema requires it nevertheless',
  },
  {
    about: ({ given, definition, value }) =>
      given === 'names' && definition === `${meta}ListMeta` && !('shardInfo' in objectOf(value)),
    isSeldom: true,
    ours: false,
    witness: true,
    reason: 'the runtime owns it, with the fields of the newest version of Kubernetes',
  },
];

/** Definitions that our types inline without a name. All except `Patch` are referenced by others. */
export const nameless: readonly string[] = [
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  `${jsonSchema}Array`,
  `${jsonSchema}Bool`,
  `${jsonSchema}StringArray`,
  `${meta}FieldsV1`,
  `${meta}Patch`,
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
];
