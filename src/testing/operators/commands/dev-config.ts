/** Objects of a project on the server of `kgen dev`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConnection } from '@kgen/runtime';
import {
  applyManifests,
  deleteManifests,
  isManifestsError,
  type ManifestObject,
  type ManifestResult,
} from '@kgen/runtime/manifests';
import { loadYaml } from '@kgen/runtime/yaml';
import { type Json, text } from '@kgen/schema/values/json';
import type { DevSamples } from 'kgen/commands';

const apply = { fieldManager: 'kgen-dev', force: true } as const;

/** The definitions, permissions, policies and webhooks of a project, as they were applied last. */
export class AppliedConfig {
  readonly #folders: readonly string[];
  /** File of the service of the webhooks. */
  readonly #service: string;
  #texts = '';
  #objects: readonly ManifestObject[] = [];

  /** @param cwd folder of the project */
  constructor(cwd: string) {
    this.#folders = ['config/crd', 'external', 'config/rbac', 'config/policy', 'config/webhook'].map((path) =>
      join(cwd, path),
    );
    this.#service = join(cwd, 'config/webhook/service.yaml');
  }

  /**
   * Applies the files if one has changed, and deletes the objects that they do not contain any more, but no
   * definition, because its objects would be deleted with it.
   * @throws {Error} if the server rejects one
   */
  async apply(admin: ClientConnection): Promise<void> {
    const texts = this.#folders.map(textsBelow).join('\0');
    if (texts === this.#texts) return;
    const results = await applyManifests(admin, { files: this.#folders.filter(existsSync) }, apply);
    const present = objectsOf(results);
    const names = new Set(present.map(nameOf));
    const removed = this.#objects.filter((object) => !names.has(nameOf(object)));
    if (removed.length > 0) await deleteManifests(admin, removed.map(bodyOf));
    this.#objects = present;
    this.#texts = texts;
  }

  /** Returns the name of the service of the webhooks, as `namespace/name`; `undefined` without webhooks. */
  async webhookService(): Promise<string | undefined> {
    if (!existsSync(this.#service)) return undefined;
    // seam: kgen has written the file.
    const service = (await loadYaml(readFileSync(this.#service, 'utf8'))) as Json;
    return `${text(service, 'metadata', 'namespace')}/${text(service, 'metadata', 'name')}`;
  }
}

function objectsOf(results: readonly ManifestResult[]): readonly ManifestObject[] {
  return results.flatMap(({ object }) =>
    object === undefined || object.kind === 'CustomResourceDefinition' ? [] : [object],
  );
}

function nameOf({ apiVersion, kind, namespace = '', name }: ManifestObject): string {
  return [apiVersion, kind, namespace, name].join(' ');
}

function bodyOf({ apiVersion, kind, namespace, name }: ManifestObject) {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}

/** Pause between two attempts while webhooks start, in milliseconds. */
const pauseMs = 100;
const maxAttempts = 300;

/** The samples of a project, which are applied after each change of their files. */
export class AppliedSamples implements DevSamples {
  readonly #folder: string;
  #texts = '';

  /** @param cwd folder of the project */
  constructor(cwd: string) {
    this.#folder = join(cwd, 'samples');
  }

  async apply(admin: ClientConnection, isServed: () => boolean): Promise<void> {
    const texts = textsBelow(this.#folder);
    if (texts === this.#texts || texts === '') return;
    for (let attempt = 1; ; attempt++) {
      try {
        await applyManifests(admin, { files: this.#folder }, apply);
        this.#texts = texts;
        return;
      } catch (error) {
        if (!isServed() || attempt === maxAttempts || !needsWebhook(error)) throw error;
        await delay(pauseMs);
      }
    }
  }
}

function needsWebhook(error: unknown): boolean {
  if (!isManifestsError(error)) return false;
  return error.results.every(
    ({ error: failure }) =>
      failure === undefined || /failed calling webhook|conversion webhook for/.test(failure.message),
  );
}

function textsBelow(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\0');
}
