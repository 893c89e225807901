import { InformerSet } from '../../../src/runtime/cache/informer/informer-set.ts';
import { RESTClient } from '../../../src/runtime/rest/client.ts';

/** An empty set, for informers that tests create without a factory. */
export const noInformers = new InformerSet(new RESTClient({ server: 'http://127.0.0.1:1' }), {});
