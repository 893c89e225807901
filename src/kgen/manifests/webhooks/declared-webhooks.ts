/** Webhooks that a program declares, evaluated without running it. */
import type { AdmissionPolicy, RegisteredDeclaration, RegisteredResource } from '@kgen/controller/webhooks';
import type { JsonPath } from '@kgen/schema/rules/places';
import { isObject, type JsonObject, own } from '@kgen/schema/values/json';
import { ts } from 'ts-morph';
import { append, error, type InputProblem, type SourcePlace } from '../../common/problems.ts';
import { compilerOf } from '../declare/morph.ts';
import { NoteReader } from '../declare/notes.ts';
import { evaluate } from '../definition/evaluate.ts';
import type { ResourceId } from '../permissions/resources.ts';
import type { WebhookCall } from '../permissions/scan.ts';
import { stringOf } from '../permissions/values.ts';
import type { Places } from '../schema/places.ts';

/** A declaration with its places. */
export interface PlacedDeclaration<T = RegisteredDeclaration> {
  readonly declaration: T;
  /** Returns the place of a part of the options; of the call for the empty path. */
  readonly placeAt: (path: JsonPath) => SourcePlace;
}

/** The webhooks of a program. */
export interface DeclaredWebhooks {
  readonly declarations: readonly PlacedDeclaration[];
  readonly policies: readonly PlacedDeclaration<AdmissionPolicy>[];
  /** Port of the server in the Pods. */
  readonly port: number;
  /** Services for which the replicas keep certificates: `undefined` for the default name. */
  readonly certified: readonly { readonly service: string | undefined; readonly place: SourcePlace }[];
  readonly problems: readonly InputProblem[];
}

const usualPort = 9443;

/**
 * Reads the calls of a program. Options that are not literals are errors.
 * @param stated port of the configuration, for programs that compute it
 */
export function declaredWebhooks(
  program: ts.Program,
  calls: readonly WebhookCall[],
  cwd: string,
  stated?: number,
): DeclaredWebhooks {
  const compiler = compilerOf(program);
  const notes = new NoteReader({ compiler, cwd, isOwn: () => true });
  const problems: InputProblem[] = [];
  let port = stated ?? usualPort;
  const omitted = [...otherOptions, ...(stated === undefined ? [] : ['port'])];
  const policies: PlacedDeclaration<AdmissionPolicy>[] = [];
  const declarations = calls.flatMap((webhook): readonly PlacedDeclaration[] => {
    if (webhook.name !== 'webhooks') return declaration(webhook);
    const found = own(options(webhook.call.arguments[0], omitted).value, 'port');
    if (typeof found === 'number') port = found;
    return [];
  });
  return { declarations, policies, port, certified: certifiedServices(program, calls, notes), problems };

  function declaration({ name, call, resources, params }: WebhookCall): readonly PlacedDeclaration[] {
    const [first, second] = call.arguments;
    const place = notes.placeOf(call);
    const resource = registered(resources);
    if (resource === undefined) {
      problems.push(error(unknownResource, notes.placeOf(first ?? call)));
      return [];
    }
    if (name === 'converts') {
      const versions = versionsOf(program.getTypeChecker(), second);
      return [{ declaration: { type: name, resource, options: { versions } }, placeAt: () => place }];
    }
    const { value, places } = options(second, ['handle', 'params']);
    const type = name === 'defaults' ? name : 'validates';
    const placeAt = (path: JsonPath): SourcePlace =>
      path.length === 0 ? place : (places?.at(path) ?? place);
    if (name !== 'admissionPolicy') return [{ declaration: { type, resource, options: value }, placeAt }];
    const policy = policyOf(resource, value, params);
    if (policy === undefined) problems.push(error(unknownResource, notes.placeOf(params?.node ?? call)));
    else policies.push({ declaration: policy, placeAt });
    return [];
  }

  function options(node: ts.Expression | undefined, omitted: readonly string[]): EvaluatedOptions {
    if (node === undefined) return { value: {} };
    const found = evaluate(node, compiler, notes, omitted);
    append(problems, found.problems);
    return { value: isObject(found.value) ? found.value : {}, places: found.places };
  }
}

/** Returns the policy; `undefined` if the kind of its parameters is unknown. */
function policyOf(
  resource: RegisteredResource,
  options: JsonObject,
  kind: WebhookCall['params'],
): AdmissionPolicy | undefined {
  const params = kind && registered(kind.resources);
  if (kind !== undefined && params === undefined) return undefined;
  // seam: the compiler has checked the types of the options.
  return { type: 'policy', resource, options: { ...options, params } } as unknown as AdmissionPolicy;
}

/** Options of `webhooks` that are computed at run time. */
const otherOptions = ['certificates', 'clientCa', 'drainMs', 'handlers', 'host', 'maxBytes', 'register'];

const unknownResource = 'the resource is not known at compile time: write the descriptor of one resource';

/** Returns the Services of certificates that the replicas keep, unless a name is computed. */
function certifiedServices(
  program: ts.Program,
  calls: readonly WebhookCall[],
  notes: NoteReader,
): DeclaredWebhooks['certified'] {
  return calls.flatMap(({ keepsCertificate, service: node, call }) => {
    const service = stringOf(program.getTypeChecker(), node);
    if (!keepsCertificate || (service === undefined && node !== undefined)) return [];
    return [{ service, place: notes.placeOf(node ?? call) }];
  });
}

interface EvaluatedOptions {
  readonly value: JsonObject;
  readonly places?: Places;
}

function registered([resource, ...others]: readonly ResourceId[]): RegisteredResource | undefined {
  if (resource === undefined || others.length > 0) return undefined;
  const { group, version, kind, plural, isNamespaced, builtIn } = resource;
  if (version === undefined || kind === undefined) return undefined;
  return { group, version, kind, plural, scope: isNamespaced ? 'Namespaced' : 'Cluster', builtIn };
}

/** Returns the names of the versions, which the type of the options contains. */
function versionsOf(checker: ts.TypeChecker, options: ts.Expression | undefined): JsonObject {
  const property = options && checker.getTypeAtLocation(options).getProperty('versions');
  const type = property && checker.getTypeOfSymbol(property);
  return Object.fromEntries((type?.getProperties() ?? []).map((each) => [ts.symbolName(each), {}]));
}
