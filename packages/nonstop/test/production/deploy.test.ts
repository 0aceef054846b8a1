import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { OPTIONS } from '../../src/production/options.js';
import { folder } from '../support/folder.js';
import { inRepo } from '../support/paths.js';

const read = (name: string): string => fs.readFileSync(inRepo('deploy', name), 'utf8');

/** Why a tool is not used; false if it is available. */
const without = (tool: string): string | false =>
  spawnSync('which', [tool]).status === 0 ? false : `${tool} is not installed`;

function run(tool: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

describe('each file of deploy/', () => {
  test('is a configuration that HAProxy accepts', { skip: without('haproxy') }, () => {
    const env = { HAPROXY_SOCKET: '/tmp/haproxy.sock', HAPROXY_BIND: '127.0.0.1:8080' };
    run('haproxy', ['-c', '-f', inRepo('deploy/haproxy/haproxy.cfg')], env);
  });

  test('is a configuration that nginx accepts', { skip: without('nginx') }, () => {
    const root = folder({ 'logs/': '' });
    const flags = ['-p', root, '-g', `pid ${path.join(root, 'pid')}; error_log ${path.join(root, 'log')};`];
    run('nginx', ['-t', '-q', ...flags, '-c', inRepo('deploy/nginx/nginx.conf')]);
  });

  test('is a unit that systemd accepts', { skip: without('systemd-analyze') }, () => {
    const root = folder({
      'nonstop@.service': read('systemd/nonstop@.service').replace('/usr/bin/node', process.execPath),
    });
    run('systemd-analyze', ['verify', '--man=no', path.join(root, 'nonstop@.service')]);
  });

  test('is a Dockerfile that hadolint accepts', { skip: without('hadolint') }, () => {
    run('hadolint', ['--failure-threshold', 'warning', inRepo('deploy/docker/Dockerfile')]);
  });

  test('is a chart that helm accepts', { skip: without('helm') }, () => {
    run('helm', ['lint', '--strict', inRepo('deploy/helm/nonstop')]);
    run('helm', ['template', 'app', '--kube-version', '1.31.0', inRepo('deploy/helm/nonstop')]);
  });

  test('names only existing options', () => {
    const known = new Set(OPTIONS.map(({ flag }) => `--${flag}`));
    for (const file of [
      'systemd/nonstop@.service',
      'docker/Dockerfile',
      'helm/nonstop/templates/deployment.yaml',
      'helm/nonstop/values.yaml',
    ]) {
      const commands = read(file)
        .split('\n')
        .filter((line) => /bin\.js|- --|options:|"--workers"/.test(line));
      assert.notEqual(commands.length, 0, file);
      for (const [flag] of commands.join('\n').matchAll(/--[a-z][a-z-]+/g))
        assert.ok(known.has(flag), `${file}: ${flag}`);
    }
  });

  test('is a dashboard of existing metrics', () => {
    const guide = fs.readFileSync(inRepo('docs/guide/production.md'), 'utf8');
    const dashboard = JSON.parse(read('grafana/nonstop.json')) as { panels: { targets?: { expr: string }[] }[] };
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const used = new Set(
      queries
        .flatMap((query) => query.match(/nonstop_\w+/g) ?? [])
        .map((name) => name.replace(/_(?:bucket|count|sum)$/, '')),
    );
    const documented = new Set(guide.match(/nonstop_\w+/g));
    assert.deepEqual(
      [...used].filter((name) => !documented.has(name)),
      [],
    );
    assert.deepEqual(
      [...documented].filter((name) => !used.has(name)),
      [],
    );
  });

  test('gives the application the time to start that the probe gives the pod', () => {
    const chart = read('helm/nonstop/templates/deployment.yaml');
    assert.match(chart, /failureThreshold: \{\{ \.Values\.probes\.startup \}\}/);
    assert.match(chart, /- --ready-timeout=\{\{ \.Values\.probes\.startup \}\}s/);
  });

  test('gives a pod longer than its drain takes', () => {
    const chart = read('helm/nonstop/templates/deployment.yaml');
    for (const part of ['preStop', 'delay', 'grace', 'hooks']) {
      assert.match(chart, new RegExp(`terminationGracePeriodSeconds: .*\\.Values\\.drain\\.${part}\\b`));
    }
  });
});
