import type { KubernetesList, KubernetesObject, Scale } from '../api/meta.ts';
import type { ApplyOptions, GetOptions, WriteOptions } from '../api/options.ts';
import type { Intent, Stored, WithName } from '../api/types.ts';
import type {
  Finalize,
  WriteApproval,
  WriteEphemeralContainers,
  WriteResize,
} from '../api/verbs/object-subresources.ts';
import type { WriteScale } from '../api/verbs/scale.ts';
import type { WriteStatus } from '../api/verbs/status.ts';
import { ObjectClient } from './object-client.ts';
import * as requests from './requests/verb-requests.ts';

/** Client of the subresources that are read and written like the object itself. */
export class PartsClient<T extends KubernetesObject, L extends KubernetesList<unknown>>
  extends ObjectClient<T, L>
  implements
    WriteStatus<T>,
    WriteScale,
    WriteEphemeralContainers<T>,
    WriteResize<T>,
    WriteApproval<T>,
    Finalize<T>
{
  async getStatus(name: string, options?: GetOptions): Promise<Stored<T>> {
    return this.send(requests.getRequest(this.target, name, options, 'status'));
  }

  async updateStatus(object: WithName<T>, options?: WriteOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(requests.updateRequest(this.target, object, options, 'status'));
  }

  async patchStatus(name: string, body: unknown, options?: requests.PatchRequestOptions): Promise<Stored<T>> {
    return this.send(requests.patchRequest(this.target, name, body, options, 'status'));
  }

  async applyStatus(intent: Intent<T>, options?: ApplyOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(requests.applyRequest(this.target, intent, options, 'status'));
  }

  async getScale(name: string, options?: GetOptions): Promise<Stored<Scale>> {
    return this.send(requests.getRequest(this.target, name, options, 'scale'));
  }

  async updateScale(
    scale: WithName<Scale>,
    options?: WriteOptions<'All' | undefined>,
  ): Promise<Stored<Scale>> {
    return this.send(requests.updateRequest(this.target, scale, options, 'scale'));
  }

  async patchScale(
    name: string,
    body: unknown,
    options?: requests.PatchRequestOptions,
  ): Promise<Stored<Scale>> {
    return this.send(requests.patchRequest(this.target, name, body, options, 'scale'));
  }

  async applyScale(intent: Intent<Scale>, options?: ApplyOptions<'All' | undefined>): Promise<Stored<Scale>> {
    return this.send(requests.applyRequest(this.target, intent, options, 'scale'));
  }

  async getEphemeralContainers(name: string, options?: GetOptions): Promise<Stored<T>> {
    return this.send(requests.getRequest(this.target, name, options, 'ephemeralcontainers'));
  }

  async updateEphemeralContainers(
    object: WithName<T>,
    options?: WriteOptions<'All' | undefined>,
  ): Promise<Stored<T>> {
    return this.send(requests.updateRequest(this.target, object, options, 'ephemeralcontainers'));
  }

  async patchEphemeralContainers(
    name: string,
    body: unknown,
    options?: requests.PatchRequestOptions,
  ): Promise<Stored<T>> {
    return this.send(requests.patchRequest(this.target, name, body, options, 'ephemeralcontainers'));
  }

  async applyEphemeralContainers(
    intent: Intent<T>,
    options?: ApplyOptions<'All' | undefined>,
  ): Promise<Stored<T>> {
    return this.send(requests.applyRequest(this.target, intent, options, 'ephemeralcontainers'));
  }

  async getResize(name: string, options?: GetOptions): Promise<Stored<T>> {
    return this.send(requests.getRequest(this.target, name, options, 'resize'));
  }

  async updateResize(object: WithName<T>, options?: WriteOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(requests.updateRequest(this.target, object, options, 'resize'));
  }

  async patchResize(name: string, body: unknown, options?: requests.PatchRequestOptions): Promise<Stored<T>> {
    return this.send(requests.patchRequest(this.target, name, body, options, 'resize'));
  }

  async applyResize(intent: Intent<T>, options?: ApplyOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(requests.applyRequest(this.target, intent, options, 'resize'));
  }

  async getApproval(name: string, options?: GetOptions): Promise<Stored<T>> {
    return this.send(requests.getRequest(this.target, name, options, 'approval'));
  }

  async updateApproval(object: WithName<T>, options?: WriteOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(requests.updateRequest(this.target, object, options, 'approval'));
  }

  async patchApproval(
    name: string,
    body: unknown,
    options?: requests.PatchRequestOptions,
  ): Promise<Stored<T>> {
    return this.send(requests.patchRequest(this.target, name, body, options, 'approval'));
  }

  async applyApproval(intent: Intent<T>, options?: ApplyOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(requests.applyRequest(this.target, intent, options, 'approval'));
  }

  async finalize(object: WithName<T>, options?: WriteOptions<'All' | undefined>): Promise<Stored<T>> {
    return this.send(requests.updateRequest(this.target, object, options, 'finalize'));
  }
}
