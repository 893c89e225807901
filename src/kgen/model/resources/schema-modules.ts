/** Modules of schemas: which definitions each group version has, and which other modules they refer to. */
import { byText } from '../../common/words.ts';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import type { GroupVersionName, GroupVersionSchemas } from '../ir.ts';
import { groupVersionKey } from '../names/package-groups.ts';
import type { GroupVersionPlan, Served } from '../plans.ts';
import { EqualParts, repeatedParts } from '../schema/equal-parts.ts';
import { anyObject, ownRoot, publishedSchema } from '../schema/published-schema.ts';
import { refsIn } from '../schema/reach.ts';
import type { Definitions } from './definitions.ts';

/**
 * Returns the schemas of all kinds of an output, and of the definitions that they refer to, sorted by group
 * and version.
 */
export function schemaModulesOf(
  plans: readonly GroupVersionPlan[],
  definitions: Definitions,
): readonly GroupVersionSchemas[] {
  const modules = new Modules(definitions);
  for (const plan of plans) {
    for (const served of plan.members) modules.addCustom(plan, served);
    for (const { kind, definition } of plan.resources) {
      if (definition !== undefined) modules.addKind(plan, kind.kind, definition);
    }
    for (const name of plan.published) modules.addDefinition(name);
  }
  return modules.sorted;
}

interface OpenModule {
  readonly home: GroupVersionName;
  readonly definitions: Map<string, JsonObject>;
  readonly kinds: Map<string, string>;
  readonly imports: Map<string, GroupVersionName>;
  readonly parts: EqualParts;
}

/** Modules, each created on first use. */
class Modules {
  readonly #modules = new Map<string, OpenModule>();
  readonly #known = new Set<string>();
  readonly #definitions: Definitions;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  addCustom(home: GroupVersionName, { crd, version }: Served): void {
    const { kind } = crd.names;
    const name = [...home.group.split('.').reverse(), home.version, kind].join('.');
    const module = this.#at(home);
    module.definitions.set(
      name,
      version.schema === undefined ? anyObject : publishedSchema(ownRoot(version.schema), module.parts),
    );
    module.kinds.set(kind, name);
  }

  /** If several resources share a kind, the first one is used. */
  addKind(home: GroupVersionName, kind: string, name: string): void {
    const module = this.#at(home);
    if (module.kinds.has(kind) || this.#definitions.get(name) === undefined) return;
    module.kinds.set(kind, name);
    this.#refer(module, name);
    this.addDefinition(name);
  }

  /** Adds a definition, and those that it refers to. */
  addDefinition(first: string): void {
    const open = [first];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const schema = this.#definitions.schemaOf(name);
      if (schema === undefined || this.#known.has(name)) continue;
      this.#known.add(name);
      const module = this.#at(this.#definitions.homeOf(name));
      const published = publishedSchema(schema, module.parts);
      module.definitions.set(name, published);
      for (const ref of new Set(refsIn(published))) {
        this.#refer(module, ref);
        open.push(ref);
      }
    }
  }

  get sorted(): readonly GroupVersionSchemas[] {
    return [...this.#modules.values()]
      .map(({ home, definitions, kinds, imports }) => ({
        home,
        definitions: sortedMap(definitions),
        parts: repeatedParts(sortedMap(definitions).values()),
        kinds: sortedMap(kinds),
        imports: [...sortedMap(imports).values()],
      }))
      .sort((a, b) => byText(a.home.group, b.home.group) || byText(a.home.version, b.home.version));
  }

  #refer(module: OpenModule, name: string): void {
    const { group, version } = this.#definitions.homeOf(name);
    const key = groupVersionKey({ group, version });
    if (key !== groupVersionKey(module.home)) module.imports.set(key, { group, version });
  }

  #at({ group, version }: GroupVersionName): OpenModule {
    const key = groupVersionKey({ group, version });
    const known = this.#modules.get(key);
    if (known !== undefined) return known;
    const lists = { definitions: new Map(), kinds: new Map(), imports: new Map() };
    const made: OpenModule = { home: { group, version }, ...lists, parts: new EqualParts() };
    this.#modules.set(key, made);
    return made;
  }
}

function sortedMap<T>(map: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...map].sort(([a], [b]) => byText(a, b)));
}
