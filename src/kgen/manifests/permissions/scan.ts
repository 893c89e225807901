/** The part of a program that sends requests, and the needs that are found in it. */
import { dirname, join, relative } from 'node:path';
import type { ts } from 'ts-morph';
import { append, error, type InputProblem, type SourcePlace } from '../../common/problems.ts';
import type { Disk } from '../../input/modules/disk.ts';
import type { Need, NeedScope } from './needs.ts';
import type { FixedAccess } from './requests.ts';
import type { ResourceId, Resources } from './resources.ts';
import type { FileStatements } from './statements.ts';

/** Objects of a request. */
export interface RequestedObjects {
  readonly resources: readonly ResourceId[];
  readonly scopes: readonly NeedScope[];
  readonly names?: readonly string[] | undefined;
}

/** A scan of one file. */
export class Scan {
  readonly checker: ts.TypeChecker;
  readonly resources: Resources;
  readonly needs: Need[] = [];
  readonly problems: InputProblem[] = [];
  /** Namespaces of caches of namespaced resources. */
  readonly caches: NeedScope[] = [];
  /** Needs of dependents, if the program deletes them. */
  readonly deletions: Need[] = [];
  /** Whether a cache has a cluster-scoped resource: events about its objects are in `default`. */
  hasClusterCache = false;
  hasDeletions = false;
  readonly #packages = new Map<string, string>();
  readonly #cwd: string;
  readonly #disk: Disk;
  #statements: FileStatements | undefined;

  constructor(checker: ts.TypeChecker, resources: Resources, cwd: string, disk: Disk) {
    this.checker = checker;
    this.resources = resources;
    this.#cwd = cwd;
    this.#disk = disk;
  }

  /** Returns the name of a file in needs and problems. */
  fileName(source: ts.SourceFile): string {
    return relative(this.#cwd, source.fileName).replaceAll('\\', '/');
  }

  /** Begins a file. Calls whose permissions are stated in it are no errors. */
  begin(statements: FileStatements): void {
    this.#statements = statements;
    append(this.needs, statements.needs);
    append(this.problems, statements.problems);
  }

  /** Adds the needs of a request. Without a resource, it is an error. */
  add(
    node: ts.Node,
    verbs: readonly string[],
    objects: RequestedObjects,
    reason: string,
    subresource = '',
  ): void {
    if (objects.resources.length === 0) {
      this.unknown(node, reason);
      return;
    }
    append(this.needs, this.needsOf(node, verbs, objects, reason, subresource));
  }

  needsOf(
    node: ts.Node,
    verbs: readonly string[],
    { resources, scopes, names = [] }: RequestedObjects,
    reason: string,
    subresource = '',
  ): readonly Need[] {
    const place = this.placeOf(node);
    return resources.flatMap(({ group, plural, isNamespaced }) => {
      const resource = subresource === '' ? plural : `${plural}/${subresource}`;
      const places: readonly NeedScope[] = isNamespaced ? scopes : [{ type: 'cluster' }];
      return places.map((scope) => ({
        group,
        resource,
        verbs: [...verbs].sort(),
        scope,
        names,
        place,
        reason,
      }));
    });
  }

  /** Adds the needs of resources that do not depend on types. */
  addFixed(node: ts.Node, accesses: readonly FixedAccess[], scope: NeedScope, reason: string): void {
    const place = this.placeOf(node);
    for (const { group, resource, verbs } of accesses)
      this.needs.push({ group, resource, verbs: [...verbs].sort(), scope, names: [], place, reason });
  }

  /** Reports a request whose resource is not known, unless it is stated. */
  unknown(node: ts.Node, reason: string): void {
    if (this.#statements?.covers(node)) return;
    const file = this.fileName(node.getSourceFile());
    this.problems.push(
      error(
        `the resource of ${reason} is not known at compile time: state it above the statement, as \`/** @permissions GROUP/RESOURCE VERBS */\`, or in the configuration, as \`permissions: { '${file}': ['GROUP/RESOURCE VERBS'] }\``,
        this.placeOf(node),
      ),
    );
  }

  placeOf(node: ts.Node): SourcePlace {
    const source = node.getSourceFile();
    const at = source.getLineAndCharacterOfPosition(node.getStart());
    return { file: this.fileName(source), line: at.line + 1, column: at.character + 1 };
  }

  /** Returns whether a declaration is one of the runtime or of the controllers. */
  isOwn(declaration: ts.Node): boolean {
    const name = this.#packageOf(dirname(declaration.getSourceFile().fileName));
    return name === '@kgen/runtime' || name === '@kgen/controller';
  }

  #packageOf(folder: string): string {
    const known = this.#packages.get(folder);
    if (known !== undefined) return known;
    const text = this.#disk.readFile(join(folder, 'package.json'));
    const [, own] = /"name":\s*"([^"]+)"/.exec(text ?? '') ?? [];
    const parent = dirname(folder);
    const name = own ?? (parent === folder ? '' : this.#packageOf(parent));
    this.#packages.set(folder, name);
    return name;
  }
}
