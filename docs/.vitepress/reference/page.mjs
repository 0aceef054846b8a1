import http from 'node:http';
import http2 from 'node:http2';
import { ReflectionKind } from 'typedoc';
import { code, inCell, prose, short, tags } from './text.mjs';

/** @typedef {import('typedoc').DeclarationReflection} Declaration */
/** @typedef {import('./text.mjs').Places} Places */

/** What an instance is called in a program. */
const instances = {
  Application: 'app',
  Express: 'app',
  Framework: 'express',
  Request: 'req',
  OwnRequest: 'req',
  Response: 'res',
  OwnResponse: 'res',
  IRouter: 'router',
  NonstopExpress: 'app',
  NonstopRouter: 'router',
  Router: 'router',
  IRoute: 'route',
  Route: 'route',
  Accelerator: 'http',
  Production: 'production',
};

/** Interfaces that are described with those that extend them. */
const isInner = ({ name }) =>
  name.startsWith('Own') || /^(?:AnyUse|HandlerMethod|HandlerParams|MatcherMethod|Beyond)$/.test(name);

/** A member of something that is described, under a name of its own. @param {Declaration} declaration */
const isMember = ({ kind, comment, type }) =>
  kind === ReflectionKind.Variable && comment === undefined && type?.type === 'indexedAccess';

/** What an entry passes on from node:http has no comment of ours. @param {Declaration} declaration */
const isOfNode = ({ name, comment, type }) =>
  comment === undefined &&
  (name in http ||
    name in http2 ||
    String(type).replace(/<.*/, '') === name ||
    /^(?:http2?|nonstopHttp2?)\./.test(String(type)));

/** `app.get` is both: with a name alone it reads a setting. @param {Declaration} member */
const readsSettings = ({ type }) => /SettingReader|name: SettingName/.test(String(type));

/** Whether a member adds handlers. Its many forms differ in their types alone. @param {Declaration} member */
const addsHandlers = ({ type }) =>
  /\b(?:Own(?:RouterMatcher|RouterHandler|Use)|IRouterMatcher)<|handlers: Nested</.test(String(type ?? ''));
const isMethodOfHttp = (member) => addsHandlers(member) && member.name !== 'use' && !readsSettings(member);
const isFunction = (member) =>
  member.signatures !== undefined || /=>|^Send</.test(String(member.type ?? '')) || addsHandlers(member);

/** @param {string} name @param {string} member */
const anchor = (name, member) => `${name}-${member}`.replaceAll(/[^\w]+/g, '-');

/** Where a page's things are described. @param {import('./model.mjs').Page} page @param {Places} places */
export function place({ name, declarations }, places) {
  for (const declaration of declarations) {
    const owner = declaration.name.replace(/^Own/, '');
    const at = `./${name}.md#type-${owner}`;
    places.set(declaration.id, at);
    for (const member of declaration.children ?? []) {
      places.set(
        member.id,
        isFunction(member) && !isMethodOfHttp(member) ? `./${name}.md#${anchor(owner, member.name)}` : at,
      );
    }
  }
}

/** @param {import('./model.mjs').Page} page @param {Places} places */
export function render({ title, intro, declarations }, places) {
  const parts = [`# ${title}`, '<!-- made of the declarations by docs/.vitepress/reference -->', intro];
  const own = declarations
    .filter((declaration) => !isInner(declaration) && !isOfNode(declaration) && !isMember(declaration))
    .sort((one, other) => Number(other.name in instances) - Number(one.name in instances));
  for (const declaration of own) parts.push(...declared(declaration, places));
  const theirs = [...new Set(declarations.filter(isOfNode).map(({ name }) => name))];
  if (theirs.length > 0) {
    const names = theirs.map((name) => `\`${name}\``).join(', ');
    parts.push(
      '## The names of node {#of-node}',
      `${names}: as in [node:${title.split('/')[1]}](https://nodejs.org/api/${title.split('/')[1]}.html).`,
    );
  }
  const text = `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  // What both majors have is declared once, with links to the pages of Express 5.
  return title.startsWith('v4: ') ? text.replaceAll('expressjs.com/en/5x/', 'expressjs.com/en/4x/') : text;
}

/** @param {Declaration} declaration @param {Places} places @returns {string[]} */
function declared(declaration, places) {
  const { name, comment, signatures } = declaration;
  const parts = [`## ${name} {#type-${name}}`, prose(comment?.summary, places)];
  if (declaration.kind === ReflectionKind.Interface) {
    const parents = parentsOf(declaration);
    if (parents.length > 0) parts.push(`Extends ${parents.map(code).join(', ')}.`);
    parts.push(parametersOfType(declaration, places), tags(comment, places));
    for (const signature of signatures ?? []) parts.push(...called(signature, instances[name] ?? name, places));
    parts.push(...members(declaration, places));
  } else if (signatures !== undefined) {
    for (const signature of signatures) parts.push(...called(signature, name, places));
  } else {
    parts.push(
      typeOf(declaration),
      elements(declaration, places),
      parametersOfType(declaration, places),
      tags(comment, places),
    );
  }
  return parts;
}

/** Parents of which `is` says yes. @param {Declaration} declaration @param {(name: string) => boolean} is @returns {Declaration[]} */
const parentsNamed = ({ extendedTypes }, is) =>
  (extendedTypes ?? [])
    .map(unwrapped)
    .flatMap((type) =>
      type.type === 'reference' && is(type.name) && type.reflection !== undefined
        ? [/** @type {Declaration} */ (type.reflection)]
        : [],
    );

/** What gives way to what programs add is described as it is. @param {import('typedoc').SomeType} type */
const unwrapped = (type) =>
  type.type === 'reference' && type.name === 'NotAddedToApplication' ? (type.typeArguments?.[0] ?? type) : type;

/** What both majors of Express have is behind names with `Own`; the verbs of HTTP are behind a name of their own there. */
const partsOf = (/** @type {Declaration} */ declaration) =>
  parentsNamed(declaration, (name) => name.startsWith('Own')).flatMap((part) => [
    part,
    ...parentsNamed(part, (name) => /^Own\w*Verbs$/.test(name)),
  ]);

/** What an interface extends; of those behind names with `Own` it is the parents that count. @param {Declaration} declaration */
function parentsOf(declaration) {
  const parents = [declaration, ...partsOf(declaration)].flatMap(({ extendedTypes }) =>
    (extendedTypes ?? []).map(String),
  );
  const own = partsOf(declaration).map(({ name }) => name);
  return [...new Set(parents)]
    .filter(
      (name) =>
        !/^(?:(?:Not)?AddedTo|Open|Own\w*Verbs|OwnPrototypes)/.test(name) && !own.includes(name.replace(/<.*/, '')),
    )
    .map((name) => name.replace(/^Own(\w+).*/, '$1'));
}

/** @param {Declaration} declaration */
function typeOf({ kind, name, type, typeParameters }) {
  const parameters = typeParameters === undefined ? '' : `<${typeParameters.map((each) => each.name).join(', ')}>`;
  const start = kind === ReflectionKind.TypeAlias ? `type ${name}${parameters} = ` : `const ${name}: `;
  return `\`\`\`ts\n${start}${short(type)}\n\`\`\``;
}

/** The members of a union that has a comment for each. @param {Declaration} declaration @param {Places} places */
function elements({ type }, places) {
  if (type?.type !== 'union' || type.elementSummaries === undefined) return '';
  const rows = type.types.flatMap((element, at) => {
    const text = prose(type.elementSummaries?.[at], places);
    return text === '' ? [] : [`| ${inCell(code(String(element)))} | ${inCell(text)} |`];
  });
  return ['| value | |', '|---|---|', ...rows].join('\n');
}

/** @param {Declaration} declaration @param {Places} places */
function parametersOfType({ typeParameters, comment }, places) {
  const said = (comment?.blockTags ?? []).filter(({ tag }) => tag === '@typeParam');
  return (typeParameters ?? [])
    .flatMap(({ name, comment: own }) => {
      const text = prose(own?.summary ?? said.find((tag) => tag.name === name)?.content, places);
      return text === '' ? [] : [`- \`${name}\`: ${text}`];
    })
    .join('\n');
}

/** @param {Declaration} declaration @param {Places} places @returns {string[]} */
function members(declaration, places) {
  // What comes from the `Own` part of a parent is described with that parent.
  const parts = partsOf(declaration).flatMap(({ children }) => children ?? []);
  const ownNames = new Set(parts.filter(({ inheritedFrom }) => inheritedFrom === undefined).map(({ name }) => name));
  const own = (declaration.children ?? []).filter(
    ({ name, inheritedFrom }) => inheritedFrom === undefined || ownNames.has(name),
  );
  const functions = own.filter((member) => isFunction(member) && !isMethodOfHttp(member));
  const methodsOfHttp = own.filter(isMethodOfHttp);
  const values = own.filter((member) => !isFunction(member));
  const prefix = instances[declaration.name];
  // Options are read as a table; what has functions has a heading for each.
  const written = functions.flatMap((member) =>
    prefix === undefined ? [] : method(member, { prefix, owner: declaration.name, places }),
  );
  const cells = prefix === undefined ? own : values;
  if (cells.length > 0) written.push(valueTable(cells, places));
  if (methodsOfHttp.length > 0) written.push(...verbTable(methodsOfHttp, { prefix, owner: declaration.name, places }));
  return written;
}

/** @param {Declaration[]} verbs @param {{ prefix: string, owner: string, places: Places }} where */
function verbTable(verbs, { prefix, owner, places }) {
  const path = forms(verbs[0], prefix).some((form) => form.includes('(path')) ? 'path, ' : '';
  const rows = verbs.map(({ name, comment }) => `| \`${name}\` | ${inCell(prose(comment?.summary, places))} |`);
  return [
    `### ${prefix}.METHOD(${path}...handlers) {#${anchor(owner, 'method')}}`,
    'One for each method of HTTP. Each gives back what it was called on.',
    ['| name | |', '|---|---|', ...rows].join('\n'),
  ];
}

/** How a member that adds handlers may be called. @param {Declaration} member @param {string} prefix */
function forms({ name, type }, prefix) {
  const text = String(type);
  return [
    ...(readsSettings({ type }) ? [`${prefix}.${name}(name: SettingName): any`] : []),
    ...(/\(handlers:|Own(?:RouterHandler|Use)</.test(text) ? [`${prefix}.${name}(...handlers): this`] : []),
    ...(/\(path:|Own(?:RouterMatcher|Use)<|IRouterMatcher/.test(text)
      ? [`${prefix}.${name}(path, ...handlers): this`]
      : []),
  ];
}

/** @param {Declaration[]} values @param {Places} places */
function valueTable(values, places) {
  const rows = values.map((member) => {
    const { name, type, flags, comment, signatures } = member;
    const said = comment ?? signatures?.[0]?.comment ?? member.getSignature?.comment;
    const text = [prose(said?.summary, places), ...(said?.blockTags ?? []).map((tag) => sentence(tag, places))];
    const written =
      signatures === undefined ? short(type ?? member.getSignature?.type) : signatureText(signatures[0], name);
    return `| \`${name}${flags.isOptional ? '?' : ''}\` | ${inCell(code(written.replace(/^undefined \| /, '')))} | ${inCell(text.join(' '))} |`;
  });
  return ['| name | type | |', '|---|---|---|', ...rows].join('\n');
}

/** @param {import('typedoc').CommentTag} tag @param {Places} places */
function sentence({ tag, content }, places) {
  const text = prose(content, places);
  if (tag === '@deprecated') return `Deprecated: ${text}`;
  return tag === '@see' ? `[Source](${text})` : '';
}

/** @param {Declaration} member @param {{ prefix: string, owner: string, places: Places }} where @returns {string[]} */
function method(member, { prefix, owner, places }) {
  const { name, signatures, type, comment } = member;
  const heading = `### ${prefix}.${name} {#${anchor(owner, name)}}`;
  if (signatures === undefined) {
    const calls = addsHandlers(member)
      ? forms(member, prefix).join('\n')
      : String(type).startsWith('Send<')
        ? `${prefix}.${name}(body?: ResBody): this`
        : `${prefix}.${name}: ${short(type)}`;
    const written = `\`\`\`ts\n${calls}\n\`\`\``;
    return [heading, prose(comment?.summary, places), written, tags(comment, places)];
  }
  return [heading, ...waysToCall(signatures, `${prefix}.${name}`, places)];
}

/**
 * The ways to call something: those that share a text together, what most share first. A way without a text belongs to the one before it.
 *
 * @param {import('typedoc').SignatureReflection[]} signatures
 * @param {string} name
 * @param {Places} places
 * @returns {string[]}
 */
function waysToCall(signatures, name, places) {
  /** @type {import('typedoc').SignatureReflection[][]} */
  const groups = [];
  for (const signature of signatures) {
    if (groups.length === 0 || signature.comment !== undefined) groups.push([signature]);
    else groups.at(-1)?.push(signature);
  }
  const said = new Set();
  return groups
    .toSorted((one, other) => other.length - one.length)
    .flatMap((group) => {
      const written = group.map((signature) => signatureText(signature, name)).join('\n');
      const text = prose(group[0].comment?.summary, places);
      const about = parameters(group, places)
        .split('\n')
        .filter((line) => !said.has(line));
      for (const line of about) said.add(line);
      return [text, `\`\`\`ts\n${written}\n\`\`\``, about.join('\n'), tags(group[0].comment, places)];
    });
}

/** @param {import('typedoc').SignatureReflection} signature @param {string} name @param {Places} places @returns {string[]} */
function called(signature, name, places) {
  const written = `\`\`\`ts\n${signatureText(signature, name)}\n\`\`\``;
  const { comment } = signature;
  return [prose(comment?.summary, places), written, parameters([signature], places), tags(comment, places)];
}

/** @param {import('typedoc').SignatureReflection} signature @param {string} name */
function signatureText({ parameters: given, type }, name) {
  const list = (given ?? []).map((parameter) => {
    const { flags, name: own, type: its, defaultValue } = parameter;
    return `${flags.isRest ? '...' : ''}${own}${flags.isOptional || defaultValue ? '?' : ''}: ${short(its)}`;
  });
  return `${name}(${list.join(', ')}): ${short(type)}`;
}

/**
 * What each parameter is. One without a text of its own, whose type is described, is that type.
 *
 * @param {import('typedoc').SignatureReflection[]} signatures
 * @param {Places} places
 */
function parameters(signatures, places) {
  const said = new Map();
  for (const { parameters: given } of signatures) {
    for (const { name, comment, type } of given ?? []) {
      const text = prose(comment?.summary, places) || describedType(type, places);
      if (text !== '' && !said.has(name)) said.set(name, text);
    }
  }
  return [...said].map(([name, text]) => `- \`${name}\`: ${text.replace(/^- /, '')}`).join('\n');
}

/** @param {import('typedoc').SomeType | undefined} type @param {Places} places */
function describedType(type, places) {
  const parts = type?.type === 'union' ? type.types : [type];
  const named = parts.flatMap((part) => {
    const target =
      part?.type === 'reference' && part.reflection !== undefined ? places.get(part.reflection.id) : undefined;
    return part?.type === 'reference' && target !== undefined
      ? [`[\`${part.name.replace(/^Own/, '')}\`](${target})`]
      : [];
  });
  return named.join(' or ');
}
