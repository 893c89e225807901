//! The Foo operator on kube-rs: Deployments are read from a reflector and written by server-side apply.
//! Settings come as JSON in $SETTINGS. It prints `converged` when the status of every Foo has been written, and
//! NaN for each line of its input: there is no garbage collection after which the heap could be measured.
use std::collections::HashSet;
use std::io::BufRead;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Api, Patch, PatchParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::runtime::controller::{Action, Config};
use kube::runtime::reflector::{self, ObjectRef, Store};
use kube::runtime::{Controller, WatchStreamExt, predicates, watcher};
use kube::{Client, CustomResource, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(group = "samplecontroller.c9g.io", version = "v1alpha1", kind = "Foo", namespaced, status = "FooStatus")]
struct FooSpec {
    image: String,
    replicas: Option<i32>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FooStatus {
    available_replicas: Option<i32>,
}

#[derive(Deserialize)]
struct Settings {
    server: String,
    ca: String,
    cert: String,
    key: String,
    count: usize,
    concurrency: u16,
}

struct Shared {
    client: Client,
    deployments: Store<Deployment>,
    /// Foos with a status: a run that begins before the event of the own write would count twice.
    written: Mutex<HashSet<String>>,
    count: usize,
}

async fn reconcile(foo: Arc<Foo>, shared: Arc<Shared>) -> Result<Action, kube::Error> {
    let namespace = foo.namespace().unwrap_or_default();
    let name = foo.name_any();
    let known = shared.deployments.get(&ObjectRef::new(&name).within(&namespace));
    let deployment = match known {
        Some(live) if is_desired(&live, &foo) => live,
        _ => Arc::new(apply(&shared.client, &namespace, &foo).await?),
    };
    let available = deployment.status.as_ref().and_then(|status| status.available_replicas).unwrap_or(0);
    if foo.status.as_ref().and_then(|status| status.available_replicas) == Some(available) {
        return Ok(Action::await_change());
    }
    let api: Api<Foo> = Api::namespaced(shared.client.clone(), &namespace);
    let status = json!({ "status": { "availableReplicas": available } });
    api.patch_status(&name, &PatchParams::default(), &Patch::Merge(&status)).await?;
    let mut written = shared.written.lock().expect("no run panics");
    if written.insert(name) && written.len() == shared.count {
        println!("converged");
    }
    Ok(Action::await_change())
}

fn is_desired(live: &Deployment, foo: &Foo) -> bool {
    let spec = &live.spec;
    let image = spec.template.spec.as_ref().and_then(|pod| pod.containers.first()).and_then(|one| one.image.as_ref());
    spec.replicas == foo.spec.replicas && image == Some(&foo.spec.image)
}

async fn apply(client: &Client, namespace: &str, foo: &Foo) -> Result<Deployment, kube::Error> {
    let api: Api<Deployment> = Api::namespaced(client.clone(), namespace);
    let name = foo.name_any();
    let labels = json!({ "app": "foo", "controller": name });
    let intent = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": name, "ownerReferences": [foo.controller_owner_ref(&())] },
        "spec": {
            "replicas": foo.spec.replicas,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "name": "foo", "image": foo.spec.image }] },
            },
        },
    });
    api.patch(&name, &PatchParams::apply("foo-operator").force(), &Patch::Apply(&intent)).await
}

fn error_policy(_: Arc<Foo>, _: &kube::Error, _: Arc<Shared>) -> Action {
    Action::requeue(Duration::from_millis(100))
}

fn kubeconfig(settings: &Settings) -> Kubeconfig {
    let text = json!({
        "clusters": [{ "name": "bench", "cluster": {
            "server": settings.server, "certificate-authority-data": base64(&settings.ca) } }],
        "users": [{ "name": "bench", "user": {
            "client-certificate-data": base64(&settings.cert), "client-key-data": base64(&settings.key) } }],
        "contexts": [{ "name": "bench", "context": { "cluster": "bench", "user": "bench" } }],
        "current-context": "bench",
    });
    serde_json::from_value(text).expect("a kubeconfig")
}

fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = (0..3).fold(0u32, |bits, at| bits << 8 | u32::from(*chunk.get(at).unwrap_or(&0)));
        for at in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * at) & 63) as usize] as char;
            encoded.push(if at <= chunk.len() { digit } else { '=' });
        }
    }
    encoded
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings: Settings = serde_json::from_str(&std::env::var("SETTINGS")?)?;
    let options = KubeConfigOptions::default();
    let config = kube::Config::from_custom_kubeconfig(kubeconfig(&settings), &options).await?;
    let client = Client::try_from(config)?;
    std::thread::spawn(|| std::io::stdin().lock().lines().for_each(|_| println!("NaN")));
    let (deployments, writer) = reflector::store();
    let stream = watcher(Api::<Deployment>::all(client.clone()), watcher::Config::default())
        .default_backoff()
        .reflect(writer)
        .touched_objects()
        .predicate_filter(predicates::resource_version, Default::default());
    let (count, written) = (settings.count, Mutex::new(HashSet::new()));
    let shared = Arc::new(Shared { client: client.clone(), deployments, written, count });
    Controller::new(Api::<Foo>::all(client), watcher::Config::default())
        .with_config(Config::default().concurrency(settings.concurrency))
        .owns_stream(stream)
        .run(reconcile, error_policy, shared)
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}
