/** What a manager provides to its controllers. */

import type { ClusterConfig, KubernetesObject, OwnerReference, RESTClient, Stored } from '@kgen/runtime';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
