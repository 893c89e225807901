/** Fields of the operator's objects that another client has changed. */

import { array, at, type Json, type JsonObject, putAt, text } from '@kgen/schema/values/json';
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import { idText, type ObjectId, type SimulatedCluster } from '../cluster.ts';
import { outcomeText } from '../run/user-requests.ts';

/** A changed field. */
export interface ForeignEdit {
  readonly id: ObjectId;
  readonly uid: string;
  readonly path: readonly string[];
  readonly value: Json;
}

/** Request of a server-side apply. Its status is set once there is a response. */
type Apply = Pick<LoggedRequest, 'namespace' | 'name' | 'status'>;

/**
 * Edits in their order, with the applies that followed. With server-side apply, a field that another client
 * has changed belongs to that client: if the operator then applies a configuration without the field, the
 * value of the other client stays. It is not drift that the operator could repair.
 */
export class ForeignEdits {
  /** Objects of the operator with an annotation of another client, by their uid. */
  readonly annotated: Map<string, string> = new Map();
  /** Uids of the objects that another client has changed or deleted. */
  readonly touched: Set<string> = new Set();
  readonly #edits: { readonly edit: ForeignEdit; readonly applies: [apply: Apply, hasField: boolean][] }[] =
    [];

  /** Whether another client has changed or deleted an object, or one of its owners. */
  isTouched(value: JsonObject): boolean {
    const uid = text(value, 'metadata', 'uid');
    const owners = array(value, 'metadata', 'ownerReferences').map((owner) => text(owner, 'uid'));
    if (owners.some((owner) => this.touched.has(owner))) this.touched.add(uid);
    return this.touched.has(uid);
  }

  add(edit: ForeignEdit): void {
    this.#edits.push({ edit, applies: [] });
  }

  /** Notes a configuration that the operator applies to an object. */
  applied(request: Apply, config: Json): void {
    const [apiVersion, kind] = [at(config, 'apiVersion'), at(config, 'kind')];
    for (const { edit, applies } of this.#edits) {
      const { id, path } = edit;
      const isSame = id.namespace === request.namespace && id.name === request.name && id.kind === kind;
      if (isSame && id.apiVersion === apiVersion) applies.push([request, at(config, ...path) !== undefined]);
    }
  }

  /** Returns the edits of fields that the last successful apply did not have, and forgets all edits. */
  takeAbandoned(): readonly ForeignEdit[] {
    const edits = this.#edits.splice(0);
    return edits.flatMap(({ edit, applies }) => {
      const last = applies.findLast(([{ status }]) => status !== undefined && status < 400);
      return last === undefined || last[1] ? [] : [edit];
    });
  }
}

/**
 * Removes the values of other clients from fields that the operator no longer applies. Returns a line for
 * each of them.
 */
export async function undoAbandoned(
  edits: ForeignEdits,
  cluster: SimulatedCluster,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { id, uid, path, value } of edits.takeAbandoned()) {
    const object = cluster.find(id);
    if (object === undefined || text(object, 'metadata', 'uid') !== uid) continue;
    if (at(object, ...path) !== value) continue;
    const outcome = await cluster.send('PATCH', id, putAt({}, path, null));
    lines.push(
      `the other client removes ${path.join('.')} of ${idText(id)}, which the operator no longer applies ${outcomeText(outcome)}`.trim(),
    );
  }
  return lines;
}
