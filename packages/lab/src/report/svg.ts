import { element, type Html, type Piece } from './html.js';

/** The width of every picture in its own units: about the pixels of a phone, so that text keeps its size. */
export const width = 360;

/**
 * A drawing for a page, with its name and a description for screen readers.
 *
 * @param height in the units of `width`
 */
export function picture(
  about: { readonly title: string; readonly description: string },
  height: number,
  content: Piece,
): Html {
  const viewBox = `0 0 ${width} ${Math.ceil(height)}`;
  const names = [element('title', {}, about.title), element('desc', {}, about.description)];
  return element('svg', { viewBox, role: 'img' }, names, content);
}

/** A text whose `anchor` stands at a place. */
export function label(
  where: { readonly x: number; readonly y: number; readonly anchor?: 'start' | 'middle' | 'end' },
  style: string,
  text: string,
): Html {
  const { x, y, anchor } = where;
  return element('text', { class: style || undefined, x, y, 'text-anchor': anchor }, text);
}

export const stroke = (style: string, d: string): Html => element('path', { class: style, d });

/** The approximate width of a text in the size of the labels. */
export const textWidth = (text: string): number => text.length * 6.7 + (text.match(/[mwMW]/g)?.length ?? 0) * 3.5;

/** A text cut to this number of characters. */
export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
