/** @typedef {import('typedoc').Comment} Comment */
/** @typedef {import('typedoc').Reflection} Reflection */
/** @typedef {Map<number, string>} Places where each reflection is described, by its id */

/** What Markdown and Vue would read as their own. @param {string} text */
const plain = (text) => text.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;');

/** A type as one writes it, in a cell of a table too. @param {string} text */
export const code = (text) => `\`${text.replaceAll('\n', ' ').replaceAll('`', '´')}\``;

/** A type without the parameters that it has anyway. @param {import('typedoc').SomeType | undefined} type */
export const short = (type) =>
  String(type)
    .replaceAll(/Request<ParamsDictionary, any, any, Query, UntypedRecord>/g, 'Request')
    .replaceAll(/Response<any, UntypedRecord(?:, number)?>/g, 'Response')
    .replaceAll('ServerResponse<IncomingMessage>', 'ServerResponse')
    .replaceAll('Application<UntypedRecord>', 'Application')
    // What both majors of Express have: by the name that it has in each.
    .replaceAll(/\bOwn(\w+)<[45], (?:string>)?/g, (all, name) => (all.endsWith('string>') ? name : `${name}<`))
    .replaceAll('Named[M]["paramHandler"]', 'RequestParamHandler');

/** @param {string} text */
export const inCell = (text) => text.replaceAll(/(?<!\\)\|/g, '\\|').replaceAll(/\s*\n\s*/g, ' ');

/**
 * The text of a comment.
 *
 * @param {readonly import('typedoc').CommentDisplayPart[] | undefined} parts
 * @param {Places} places
 */
export function prose(parts, places) {
  return (parts ?? [])
    .map((part) => {
      if (part.kind === 'code') return part.text;
      if (part.kind !== 'inline-tag') return plain(part.text);
      const target = typeof part.target === 'object' && part.target !== null ? places.get(part.target.id) : undefined;
      return target === undefined ? `\`${part.text}\`` : `[\`${part.text}\`](${target})`;
    })
    .join('')
    .trim();
}

const labels = { '@returns': 'Returns', '@throws': 'Throws', '@see': 'See', '@deprecated': 'Deprecated' };

/**
 * What is said behind the text: what comes out, what is thrown, where it is from, examples.
 *
 * @param {Comment | undefined} comment
 * @param {Places} places
 */
export function tags(comment, places) {
  const lines = (comment?.blockTags ?? []).flatMap(({ tag, content }) => {
    const text = prose(content, places);
    if (tag === '@example') return [`\n${text}\n`];
    const label = labels[tag];
    if (label === undefined) return [];
    return [`- **${label}** ${tag === '@see' ? linked(text) : text}`];
  });
  return lines.join('\n');
}

/** @param {string} text */
const linked = (text) => text.replaceAll(/(?<![(<])https?:\/\/\S+/g, (address) => `<${address}>`).replace(/^- /, '');
