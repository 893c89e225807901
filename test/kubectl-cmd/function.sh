#!/usr/bin/env bash
# Runs one function of kubectl's command tests, in the folder test/cmd of Kubernetes, against a server.
# Usage: function.sh FUNCTION, in a copy of the folders of copy.mjs, with KUBECTL, SECURE_API_PORT and TOKEN.
set -o errexit -o nounset -o pipefail
export WHAT=${1#run_}
WHAT=${WHAT%_tests}
export ALLOW_SKEW=1 KUBE_JUNIT_REPORT_DIR=$PWD/_output/reports TMPDIR=$PWD/_output/tmp
mkdir -p _output/bin "$KUBE_JUNIT_REPORT_DIR" "$TMPDIR"
ln -sf "$KUBECTL" _output/bin/kubectl
export HOME=$TMPDIR KUBECONFIG=
sed -i "s/admin-token/$TOKEN/g" test/cmd/*.sh
# shellcheck disable=SC1091
{
  source hack/lib/init.sh
  source hack/lib/test.sh
  source test/cmd/legacy-script.sh
}
unset KUBECONFIG
kube::util::ensure-temp-dir
HOME=$KUBE_TEMP
trap 'stop-proxy >/dev/null 2>&1 || true' EXIT
kube::util::ensure-gnu-sed
CONTEXT=test
kubectl config set-credentials test-admin --token "$TOKEN"
kubectl config set-cluster local --insecure-skip-tls-verify --server "https://127.0.0.1:$SECURE_API_PORT"
kubectl config set-context "$CONTEXT" --user test-admin --cluster local
kubectl config use-context "$CONTEXT"
# Functions of other names, such as run_secrets_test.
declare -F "run_${WHAT}_tests" >/dev/null || eval "run_${WHAT}_tests() { $1; }"
SUPPORTED_RESOURCES=('*')
# As after the functions that precede it in the script.
create_and_use_new_namespace
runTests
