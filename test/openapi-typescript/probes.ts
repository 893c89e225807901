/** Values of every definition: valid ones, and ones with a single error. */
import type { Random } from '../support/random.ts';
import { type Definitions, type Json, type JsonObject, listOf, objectOf } from './definitions.ts';
import { Places } from './places.ts';
import type { Found, Probe, Valid } from './probe.ts';
import { basic, least, most, Sampler, some } from './sampler.ts';
import { propertiesOf, type Resolved, type Role, requiredOf, resolve, roleOf, shapeOf } from './shapes.ts';

/** Levels of objects in values with many properties. */
const depth = 3;

/** Returns every probe of every definition, in a fixed order. */
export function probesOf(definitions: Definitions, random: Random): readonly Probe[] {
  const maker = new ProbeMaker(definitions, random);
  return [...definitions.schemas].flatMap(([definition, schema]) => {
    const role = roleOf(schema, definitions);
    return maker.probes({ name: definition, schema }, role).map((found) => ({ definition, role, ...found }));
  });
}

class ProbeMaker {
  readonly #definitions: Definitions;
  readonly #sampler: Sampler;
  readonly #places: Places;
  readonly #random: Random;

  constructor(definitions: Definitions, random: Random) {
    this.#definitions = definitions;
    this.#sampler = new Sampler(definitions, random);
    this.#places = new Places(definitions, this.#sampler);
    this.#random = random;
  }

  probes(definition: Resolved, role: Role): readonly Found[] {
    const { schema } = definition;
    const whole = this.#places.at('', definition);
    if (shapeOf(schema).is !== 'object') return whole;
    const base = this.#sampler.object(schema, basic);
    return [
      ...this.#extents(definition, base),
      ...whole.filter(({ isValid }) => !isValid),
      ...missing(definition, base),
      ...this.#properties(definition, base),
      ...this.#beyondSchema(definition, role, base),
    ];
  }

  /** Returns whole values with more or fewer of the optional properties. */
  #extents({ name: target, schema }: Resolved, base: JsonObject): readonly Found[] {
    const of = (given: Valid, value: Json): Found => ({ path: '', target, given, isValid: true, value });
    return [
      of('base', base),
      of('names', Object.fromEntries(propertiesOf(schema).map(([name]) => [name, 1]))),
      of('required only', this.#sampler.object(schema, least)),
      of('all properties', this.#sampler.object(schema, most(depth))),
      of('some properties', this.#sampler.object(schema, some(this.#random, depth))),
      of('some properties', this.#sampler.object(schema, some(this.#random, depth))),
    ];
  }

  /** Returns the base with one additional or replaced property. */
  #properties({ schema }: Resolved, base: JsonObject): readonly Found[] {
    return propertiesOf(schema).flatMap(([name, node]) =>
      this.#places.at(name, resolve(node, this.#definitions)).map((found) => {
        if (found.given === 'literals') return found;
        const value = { ...base, [name]: found.value };
        return { ...found, value: found.isValid ? this.#sampler.identified(schema, value) : value };
      }),
    );
  }

  /** Returns values that the schema accepts although no object of the kind has them. */
  #beyondSchema({ schema }: Resolved, { is, apiVersion }: Role, base: JsonObject): readonly Found[] {
    const of = (name: string, given: Valid, instead: Json): Found => {
      return { path: name, target: '', given, isValid: true, value: { ...base, [name]: instead } };
    };
    const names = ['apiVersion', 'kind'].filter((name) => apiVersion !== undefined && name in base);
    const found = names.map((name) => of(name, 'other name', 'other'));
    if (is === 'list') {
      const items = listOf(this.#sampler.object(schema, most(2))['items']);
      const unread = items.map((item) => ({ ...objectOf(item), metadata: {} }));
      found.push(of('items', 'unread', unread));
    }
    const isOfCluster = is === 'kind' && this.#sampler.isOfCluster(schema);
    return isOfCluster ? [...found, of('metadata', 'namespace', { namespace: 'one' })] : found;
  }
}

function missing({ schema }: Resolved, base: JsonObject): readonly Found[] {
  return [...requiredOf(schema)].map((name) => {
    const { [name]: _left, ...value } = base;
    return { path: name, target: '', given: 'missing', isValid: false, value };
  });
}
