import { inspect } from 'node:util';
import { folder } from '../support/folder.js';
import { handlers, parities, request, type HandlerRow, type Loose, type Program, type Turn } from './stage.js';

const views = folder({
  'page.tpl': '',
  'other.md': '',
  'sub/index.tpl': '',
  'sub/deep.tpl': '',
  'throws.tpl': '',
  'fails.tpl': '',
  'empty.tpl': '',
  'later.tpl': '',
  no: '',
  'é.tpl': '',
  'found.ejs': '<%= title %>',
});
const more = folder({ 'page.tpl': '', 'only.tpl': '' });

type Done = (error: unknown, text?: unknown) => void;

/** An engine that outputs all its arguments except the settings. */
const engine =
  (name: string) =>
  (file: string, options: Record<string, unknown>, done: Done): void => {
    if (file.includes('throws')) throw new Error('engine throws');
    if (file.includes('fails')) return done(Object.assign(new Error('engine fails'), { status: 503 }));
    if (file.includes('empty')) return done(null);
    const { settings, ...rest } = options;
    const text = `${name}: ${file.slice(-9)} ${inspect(rest, { sorted: true, breakLength: 200 })} ${typeof settings}`;
    return file.includes('later') ? void setImmediate(done, null, text) : done(null, text);
  };

const NAMES = [
  'page',
  'page.tpl',
  'other.md',
  'sub',
  'sub/deep',
  'sub/index.tpl',
  'throws',
  'fails',
  'empty',
  'later',
  'absent',
  'absent.xyz',
  'only',
  'no',
  'é',
  '../x',
  '/etc/none.tpl',
  '',
  'page.',
  '.tpl',
  // Engines that are loaded by the file extension: an installed one, a package that is not an engine, a missing one.
  'found.ejs',
  'module.debug',
  'module.not-installed',
];
const OPTIONS: unknown[] = [
  undefined,
  null,
  {},
  { title: 'option' },
  { title: undefined, cache: true },
  { cache: false },
  { _locals: { title: 'hidden' } },
  JSON.parse('{"__proto__":{"title":"inherited"},"a":1}'),
  { settings: 'mine' },
];

const SETTINGS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['a view engine', { 'view engine': 'tpl', views }],
  ['a view engine with a dot', { 'view engine': '.tpl', views }],
  ['a view engine in a list', { 'view engine': ['tpl'], views }],
  ['a view engine that is a number', { 'view engine': 7, views }],
  ['no view engine', { views }],
  ['two folders', { 'view engine': 'tpl', views: [more, views] }],
  ['no folder of views', { 'view engine': 'tpl', views: '/nowhere' }],
  ['a cache', { 'view engine': 'tpl', views, 'view cache': true }],
];

const tried = (turn: Turn, args: readonly unknown[]): void => {
  try {
    (turn.res as Loose)['render'](...args);
  } catch (error) {
    // The message about a missing module continues with the searched paths.
    turn.res.end(`throws ${String(error).split('\n')[0]}`);
  }
};

const programs = SETTINGS.map(([how, settings]): Program => {
  const byName = NAMES.map((name): HandlerRow => [`view ${JSON.stringify(name)}`, (turn) => tried(turn, [name])]);
  const byOptions = OPTIONS.map((options, i): HandlerRow => [
    `options ${i}: ${inspect(options)}`,
    (turn) => tried(turn, ['page', options]),
  ]);
  const calls: HandlerRow[] = [
    [
      'a callback',
      (turn) =>
        tried(turn, [
          'page',
          (error: unknown, text: string) => (turn.note([String(error), text]), turn.res.end('called')),
        ]),
    ],
    [
      'options and a callback',
      (turn) =>
        tried(turn, [
          'page',
          { a: 1 },
          (error: unknown, text: string) => (turn.note([String(error), text]), turn.res.end('called')),
        ]),
    ],
    [
      'a callback comes behind the call',
      (turn) => {
        tried(turn, ['page', () => (turn.note('called'), turn.res.end('called'))]);
        turn.note('behind the call');
      },
    ],
    [
      'a callback of a failure',
      (turn) => tried(turn, ['fails', (error: unknown) => (turn.note(String(error)), turn.res.end('called'))]),
    ],
    ['locals', (turn) => ((turn.res.locals['title'] = 'of the answer'), tried(turn, ['page', { own: 1 }]))],
    ['a status and a type', (turn) => (turn.res.status(404).type('text'), tried(turn, ['page']))],
    ['HEAD', (turn) => tried(turn, ['page']), request('HEAD /')],
  ];
  return handlers(`res.render with ${how}`, [...byName, ...byOptions, ...calls], (app) => {
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    app.engine('tpl', engine('tpl') as never).engine('.md', engine('md') as never);
    app.engine(7 as never, engine('7') as never);
    app.locals['title'] = 'of the application';
  });
});

parities([
  ...programs,
  handlers(
    'the class of views, without options',
    ['page', 'page.tpl', ''].map((name): HandlerRow => [
      name,
      ({ req, res }) => {
        const View = req.app.get('view') as new (name: string) => unknown;
        try {
          res.send(typeof new View(name));
        } catch (error) {
          res.send(String(error));
        }
      },
    ]),
  ),
  handlers(
    'res.render in a mounted application',
    ['page', 'only', 'absent'].map((name): HandlerRow => [name, ({ next }) => next(), request(`GET /${name}`)]),
    (app, make) => {
      const child = make();
      child.set('views', more);
      app
        .set('view engine', 'tpl')
        .set('views', views)
        .engine('tpl', engine('parent') as never);
      app.locals['title'] = 'parent';
      child.locals['own'] = 'child';
      child.get('/:name', (req, res) => res.render(req.params.name));
      app.use(child);
    },
  ),
  handlers(
    'res.render with a View of its own',
    ['found', 'lost', 'throws'].map((name): HandlerRow => [name, (turn) => tried(turn, [name, { a: 1 }])]),
    (app) => {
      app.set('view', function View(this: Record<string, unknown>, name: string, options: Record<string, unknown>) {
        this['path'] = name === 'lost' ? undefined : `/${name}`;
        this['root'] = 'own root';
        this['render'] = (given: Record<string, unknown>, done: Done) =>
          done(
            name === 'throws' ? new Error('own view') : null,
            `${Object.keys(options).join()} ${Object.keys(given).join()}`,
          );
      });
    },
  ),
]);
