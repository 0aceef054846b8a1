/** Markup that is safe in a page. Only `html` creates it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** The values of a template: text is escaped, undefined is left out, lists are joined. */
export type Piece = Html | string | number | undefined | readonly Piece[];

/**
 * A template of HTML or SVG. Values are escaped, for text and for quoted attributes; only other templates are inserted
 * unchanged.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.reduce((left, string, place) => left + render(pieces[place - 1]) + string));
}

/**
 * An element of a drawing, with its attributes. Numbers are rounded to a tenth, which is finer than any screen; undefined
 * attributes are left out.
 *
 * @param name a constant of the lab: only attributes and children are escaped
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...children: readonly Piece[]
): Html {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escape(typeof value === 'number' ? tenth(value) : value)}"`,
  );
  return new Html(`<${name}${written.join('')}>${children.map(render).join('')}</${name}>`);
}

/** A number of a drawing, to a tenth. */
export const tenth = (value: number): string => String(Math.round(value * 10) / 10);

function render(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.toString();
  if (typeof piece === 'string' || typeof piece === 'number') return escape(String(piece));
  return piece.map(render).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// Control characters are invalid in a page, even as entities; the output of a crashed server may contain some.
const escape = (text: string): string =>
  text
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '\uFFFD')
    .replace(/[&<>"']/g, (character) => entities[character]);
