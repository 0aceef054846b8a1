/**
 * @typedef {{ lane: string, name: string, words: string }} Stop one line of the road: a file and its work
 */

/** The lanes of the road, with their colours on light and dark ground. @type {Record<string, readonly [string, string]>} */
const lanes = {
  net: ['#57606a', '#a8b0bb'],
  wire: ['#7a45c4', '#b996f5'],
  http: ['#0f766e', '#2dd4bf'],
  express: ['#0068b3', '#58aef0'],
  routing: ['#b14a86', '#ec9fca'],
  you: ['#d14900', '#ff8a3d'],
};

const names = {
  net: 'socket, node',
  wire: 'wire',
  http: 'http',
  express: 'express',
  routing: 'routing',
  you: 'your code',
};

/**
 * The stops of the road, from the first block without a language of a page.
 * @param {string} page
 * @returns {Stop[]}
 * @throws {Error} if the page has no such block
 */
export function readRoad(page) {
  const [, block] = /^```\n(socket\n[^]*?)^```$/m.exec(page) ?? [];
  if (block === undefined) throw new Error('The page has no road: a block that begins with "socket"');
  return block
    .trim()
    .split('\n')
    .map((line) => {
      const [name, ...words] = line.replace(/^\s*→?\s*/, '').split(/\s{2,}/);
      return { lane: laneOf(name), name, words: words.join(' ') };
    });
}

/** @param {string} name */
function laneOf(name) {
  const folder = name.split('/')[0];
  if (folder in lanes) return folder;
  if (name === 'handler') return 'you';
  return name.startsWith("'") ? 'http' : 'net';
}

const gap = 15;
const first = 18;
const textAt = first + gap * Object.keys(lanes).length + 4;
const width = 440;
const rowHeight = 42;
const top = 66;

/** Font sizes in pixels, and the number of letters that fit beside the lanes. */
const letters = 51;

/**
 * The road as a picture: a line that changes its lane with the folder, and a stop for each file.
 * @param {Stop[]} stops
 * @returns {string} SVG
 */
export function drawRoad(stops) {
  const height = top + stops.length * rowHeight;
  const x = (/** @type {string} */ lane) => first + Object.keys(lanes).indexOf(lane) * gap;
  const y = (/** @type {number} */ index) => top + index * rowHeight;
  const legs = stops
    .slice(1)
    .map((stop, index) => leg([x(stops[index].lane), y(index)], [x(stop.lane), y(index + 1)], stop.lane));
  const drawn = stops.map(({ lane, name, words }, index) => {
    const at = y(index);
    const lines = wrapped(words).map(
      (line, row) => `<text class="words" x="${textAt}" y="${at + 14 + row * 12}">${escaped(line)}</text>`,
    );
    return `<circle class="stop ${lane}" cx="${x(lane)}" cy="${at}" r="5.5"/><text class="name" x="${textAt}" y="${at}">${escaped(name)}</text>${lines.join('')}`;
  });
  const legend = Object.entries(names).map(([lane, title], index) => {
    const [column, row] = [index % 3, Math.floor(index / 3)];
    return `<circle class="stop ${lane}" cx="${22 + column * 140}" cy="${16 + row * 18}" r="5"/><text class="words" x="${33 + column * 140}" y="${20 + row * 18}">${title}</text>`;
  });
  const told = stops.map(({ name, words }) => `${name}${words === '' ? '' : `: ${words}`}`).join('; ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>The road of a request</title>',
    `<desc>${escaped(told)}.</desc>`,
    `<style>${styles()}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    ...legend,
    ...legs,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

/** @typedef {readonly [x: number, y: number]} Point */

/** @param {Point} from @param {Point} to @param {string} lane */
function leg([x0, y0], [x1, y1], lane) {
  const middle = (y0 + y1) / 2;
  return `<path class="leg ${lane}" d="M${x0} ${y0}C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}"/>`;
}

function styles() {
  const rules = (/** @type {0 | 1} */ index) =>
    Object.entries(lanes)
      .map(([lane, pair]) => `.${lane}{--lane:${pair[index]}}`)
      .join('');
  const grounds = [
    '.ground{fill:#f6f8fa}.name{fill:#14181f}.words{fill:#535c68}',
    '.ground{fill:#161b22}.name{fill:#e8ecf1}.words{fill:#a4aeba}',
  ];
  return [
    '.name{font:600 12.5px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;dominant-baseline:middle}',
    '.words{font:11px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}',
    '.leg{fill:none;stroke:var(--lane);stroke-width:3}.stop{fill:var(--lane)}',
    `${grounds[0]}${rules(0)}@media (prefers-color-scheme:dark){${grounds[1]}${rules(1)}}`,
  ].join('');
}

/** @param {string} words @returns {string[]} two lines at most */
function wrapped(words) {
  if (words.length <= letters) return words === '' ? [] : [words];
  const cut = words.lastIndexOf(' ', letters);
  return [words.slice(0, cut), words.slice(cut + 1)];
}

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
