/**
 * The look of a contestant in all drawings: its class in the style sheet, and a shape for readers who cannot distinguish
 * colours.
 */
export interface Look {
  readonly tone: string;
  readonly shape: Shape;
  readonly dashes: string;
}

export type Shape = 'circle' | 'square' | 'diamond' | 'up' | 'down';

type Colours = Readonly<Record<string, readonly [light: string, dark: string]>>;

/** Colours of the ground and of text. */
export const grounds = {
  ground: ['#ffffff', '#12161c'],
  raised: ['#f6f7f9', '#1a2029'],
  ink: ['#14181f', '#e8ecf1'],
  soft: ['#535c68', '#a4aeba'],
  line: ['#d9dee5', '#2c3541'],
  strong: ['#8a94a1', '#6f7b89'],
  link: ['#0057a8', '#7cc0ff'],
} as const satisfies Colours;

/** Colours of shapes. Every tone has a contrast of 3 to 1 or more on both grounds, and differs in lightness too. */
export const tones: Colours = {
  pass: ['#00734f', '#3ccf9f'],
  miss: ['#b3261e', '#ff8a7e'],
  none: ['#535c68', '#a4aeba'],
  published: ['#7c8591', '#7f8a97'],
  nonstop: ['#d14900', '#ff8a3d'],
  variant: ['#9a5b3a', '#d9a384'],
  node: ['#4b5563', '#a8b0bb'],
  express5: ['#0068b3', '#58aef0'],
  express4: ['#3389c9', '#a3d3f7'],
  restify: ['#7b4b2a', '#cf9f78'],
  hapi: ['#8f7000', '#e3bd2e'],
  koa: ['#b14a86', '#ec9fca'],
  fastify: ['#00805c', '#35c99b'],
  hono: ['#7a45c4', '#b996f5'],
  polka: ['#00808f', '#4fd0de'],
  bun: ['#a1493a', '#eda493'],
  expressOnBun: ['#4a5fc1', '#9fb0ff'],
  other0: ['#5c6b00', '#b9cc4d'],
  other1: ['#a33a5b', '#f58ba6'],
  other2: ['#3f5f8a', '#93b4e4'],
  other3: ['#6d6d3f', '#c6c48a'],
};

const look = (tone: string, shape: Shape, dashes = ''): Look => ({ tone, shape, dashes });

const known: Readonly<Record<string, Look>> = {
  Nonstop: look('nonstop', 'circle'),
  'Nonstop for 4': look('variant', 'up', '3 2'),
  'node:http': look('node', 'square'),
  'Express 5': look('express5', 'up'),
  'Express 4': look('express4', 'down', '5 3'),
  Express: look('express5', 'up'),
  Restify: look('restify', 'diamond', '2 3'),
  Hapi: look('hapi', 'square', '6 3'),
  Koa: look('koa', 'diamond'),
  Fastify: look('fastify', 'circle', '6 2 2 2'),
  Hono: look('hono', 'down'),
  Polka: look('polka', 'up', '4 2'),
  'Bun.serve': look('bun', 'square', '2 2'),
  'Express on Bun': look('expressOnBun', 'diamond', '1 3'),
};

/** The look of a contestant: the same in every picture of every report, also for one that is not in this table. */
export function lookOf(contestant: string): Look {
  if (Object.hasOwn(known, contestant)) return known[contestant];
  if (contestant.startsWith('Nonstop')) return look('variant', 'circle', '3 2');
  const sum = Buffer.from(contestant).reduce((left, byte) => (left * 31 + byte) % 65_521, 7);
  return look(`other${sum % 4}`, 'diamond', '3 3');
}
