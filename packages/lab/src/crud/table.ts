import type { Failure } from '../measure.js';
import { textTable } from '../text-table.js';
import type { ComparedCrud, CpuRow, CrudRow, Less, Times } from './summary.js';

const both = ({ mean, deviation }: Times, digits: number): string =>
  `${mean.toFixed(digits)} ± ${deviation.toFixed(digits)}`;

/** Every shape, verb and contestant: mean and standard deviation, and the median, inside the server and of the client. */
export const crudTable = (rows: readonly CrudRow[]): string => textTable(crudCells(rows), 4);

/** The same as cells, the titles first; four columns are words. */
export function crudCells(rows: readonly CrudRow[]): string[][] {
  const head = ['Node', 'shape', 'verb', 'contestant', 'n', 'server ms', 'median', 'client ms', 'median'];
  const lines = rows.map(({ node, shape, verb, contestant, server, client }) => [
    node,
    shape,
    verb,
    contestant,
    String(server.count),
    both(server, 2),
    server.median.toFixed(2),
    both(client, 2),
    client.median.toFixed(2),
  ]);
  return [head, ...lines];
}

/** The CPU time of the servers' processes, which does not depend on the speed of the database. */
export const cpuTable = (rows: readonly CpuRow[]): string => textTable(cpuCells(rows), 3);

/** The same as cells, the titles first; three columns are words. */
export function cpuCells(rows: readonly CpuRow[]): string[][] {
  const head = ['Node', 'shape', 'contestant', 'CPU µs/request', 'median', '÷ Express 5'];
  const lines = rows.map(({ node, shape, contestant, cpu }) => {
    const base = rows.find((row) => row.node === node && row.shape === shape && row.contestant === 'Express 5');
    const share = base === undefined || base.cpu.median <= 0 ? '' : (cpu.median / base.cpu.median).toFixed(2);
    return [node, shape, contestant, both(cpu, 0), cpu.median.toFixed(0), share];
  });
  return [head, ...lines];
}

/** Published and measured results: per cent less time, with two standard errors. */
export const comparedTable = (compared: readonly ComparedCrud[]): string => textTable(comparedCells(compared), 4);

/** The same as cells, the titles first; four columns are words. */
export function comparedCells(compared: readonly ComparedCrud[]): string[][] {
  const head = [
    'Node',
    'shape',
    'verb',
    'Express against Hapi, published',
    'server',
    'by medians',
    'client',
    'Nonstop against Hapi',
    'Nonstop against Express',
  ];
  const lines = compared.map((one) => [
    one.node,
    one.shape,
    one.verb,
    one.words,
    percent(one.server),
    `${signed(one.serverMedian)} %`,
    percent(one.client),
    percent(one.nonstop),
    percent(one.nonstopAgainstExpress),
  ]);
  return [head, ...lines];
}

const percent = (less: Less | undefined): string =>
  less === undefined ? '' : `${signed(less.percent)} ± ${less.within.toFixed(1)} %`;

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;

export const failureLines = (failures: readonly Failure[]): string =>
  failures
    .map(({ contestant, scenario, node, problem }) => `${contestant} failed in ${scenario} on Node ${node}: ${problem}`)
    .join('\n');
