/** The part of a program that sends requests, and the needs that are found in it. */
import { dirname, join, relative } from 'node:path';
import { ts } from 'ts-morph';
import { append, error, type InputProblem, type SourcePlace } from '../../common/problems.ts';
import type { Disk } from '../../input/modules/disk.ts';
import type { Need, NeedScope } from './needs.ts';
import type { FixedAccess } from './requests.ts';
import { type ResourceId, type Resources, resourcesOf } from './resources.ts';
import type { FileStatements } from './statements.ts';

/** Objects of a request. */
export interface RequestedObjects {
  readonly resources: readonly ResourceId[];
  readonly scopes: readonly NeedScope[];
  readonly names?: readonly string[] | undefined;
}

/** A call of `defaults`, `validates`, `converts`, `admissionPolicy` or `webhooks`. */
export interface WebhookCall {
  readonly name: string;
  readonly call: ts.CallExpression;
  /** Resources of the first argument: one, if it is a descriptor. */
  readonly resources: readonly ResourceId[];
  /** Whether it is a call of `webhooks` whose replicas keep a certificate in a Secret. */
  readonly keepsCertificate: boolean;
  /** The option `params` of a policy, with its resources: one, if it is a descriptor. */
  readonly params?: { readonly node: ts.Expression; readonly resources: readonly ResourceId[] } | undefined;
  /** Name of the Service for which the certificate is issued, if the program states it. */
  readonly service?: ts.Expression | undefined;
}

/** Endpoint of the metrics of a program. */
export interface ServedMetrics {
  readonly port: number;
  /** Whether it is served over HTTPS. */
  readonly isSecure: boolean;
  /** Whether callers need a permission. */
  readonly isAuthorized: boolean;
  /** Whether the flight recorder is served, too. */
  readonly hasRecording: boolean;
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
  /** Calls of the functions that declare webhooks. */
  readonly webhooks: WebhookCall[] = [];
  /** Metrics of the first manager that serves them. */
  metrics: ServedMetrics | undefined;
  /** Names of the managers that are known at compile time. */
  readonly managers: { readonly name: string; readonly node: ts.Expression }[] = [];
  /** Name of the operator, if it is known. */
  readonly operator: string | undefined;
  readonly #packages = new Map<string, string>();
  readonly #program: ts.Program;
  readonly #cwd: string;
  readonly disk: Disk;
  #statements: FileStatements | undefined;

  constructor(program: ts.Program, cwd: string, disk: Disk, operator?: string) {
    this.operator = operator;
    this.checker = program.getTypeChecker();
    this.resources = resourcesOf(program, disk);
    this.#program = program;
    this.#cwd = cwd;
    this.disk = disk;
  }

  /** Returns whether a file is written by the author of the program. */
  isAuthored(source: ts.SourceFile): boolean {
    if (source.isDeclarationFile || this.#program.isSourceFileFromExternalLibrary(source)) return false;
    return !isGenerated(source);
  }

  /** Returns whether a file describes the language, or Node.js. */
  isLibrary(source: ts.SourceFile): boolean {
    return (
      this.#program.isSourceFileDefaultLibrary(source) ||
      /^(@types\/node|undici-types)$/.test(this.packageOf(source))
    );
  }

  /** Returns whether a file describes code that is not part of the program, and sends requests of its own. */
  isForeign(source: ts.SourceFile): boolean {
    if (this.isAuthored(source) || isGenerated(source) || this.isLibrary(source)) return false;
    return !this.resources.isModule(source) && !this.packageOf(source).startsWith('@kgen/');
  }

  /** Returns the interface or class of the runtime that declares a member. */
  ownerOf(member: ts.Symbol | undefined): string | undefined {
    const parent = member?.declarations?.find((each) => this.isOwn(each))?.parent;
    if (parent === undefined) return undefined;
    return ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent) ? parent.name?.text : undefined;
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
    this.unseen(node, `the resource of ${reason} is not known at compile time`);
  }

  /** Reports a place whose requests are not known, unless they are stated. */
  unseen(node: ts.Node, problem: string): void {
    if (this.#statements?.covers(node)) return;
    const file = this.fileName(node.getSourceFile());
    this.problems.push(
      error(
        `${problem}: state it above the statement, as \`/** @permissions GROUP/RESOURCE VERBS */\`, or in the configuration, as \`permissions: { '${file}': ['GROUP/RESOURCE VERBS'] }\``,
        this.placeOf(node),
      ),
    );
  }

  placeOf(node: ts.Node): SourcePlace {
    return this.placeAt(node.getSourceFile(), node.getStart());
  }

  placeAt(source: ts.SourceFile, position: number): SourcePlace {
    const at = source.getLineAndCharacterOfPosition(position);
    return { file: this.fileName(source), line: at.line + 1, column: at.character + 1 };
  }

  /** Returns whether a declaration is one of the runtime or of the controllers. */
  isOwn(declaration: ts.Node): boolean {
    const name = this.packageOf(declaration.getSourceFile());
    return name === '@kgen/runtime' || name === '@kgen/controller';
  }

  /** Returns the name of the package of a file; `''` without one. */
  packageOf(source: ts.SourceFile): string {
    return this.#packageOf(dirname(source.fileName));
  }

  #packageOf(folder: string): string {
    const known = this.#packages.get(folder);
    if (known !== undefined) return known;
    const text = this.disk.readFile(join(folder, 'package.json'));
    const [, own] = /"name":\s*"([^"]+)"/.exec(text ?? '') ?? [];
    const parent = dirname(folder);
    const name = own ?? (parent === folder ? '' : this.#packageOf(parent));
    this.#packages.set(folder, name);
    return name;
  }
}

const isGenerated = ({ text }: ts.SourceFile): boolean => /^\/\/ Generated by kgen/.test(text);
