/** The published result for a shape: how many per cent less time Express needed than Hapi. */
export interface PublishedCrud {
  readonly shape: string;
  readonly of: 'Express';
  readonly against: 'Hapi';
  readonly words: string;
  readonly low: number;
  readonly high: number;
}

const published = (shape: string, words: string, [low, high]: readonly [number, number]): PublishedCrud => ({
  shape,
  of: 'Express',
  against: 'Hapi',
  words,
  low,
  high,
});

/** "REST API performance comparison …" (Grudniak, Dzieńkowski 2021). */
export const publishedCrud: readonly PublishedCrud[] = [
  published('string', '14–20 % faster', [14, 20]),
  published('array', '5–9 % faster', [5, 9]),
  published('object', '1–5 % faster', [1, 5]),
  published('objects', 'equal', [0, 0]),
];
