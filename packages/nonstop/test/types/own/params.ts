import express, { type ParamsDictionary, type RequestHandler, type RouteParameters } from 'nonstop';
import { holds, type Same } from '../programs/expect.js';

// One line for each form of a path: the path, and the type of its parameters.
holds<Same<RouteParameters<'/'>, {}>>();
holds<Same<RouteParameters<'/:a'>, { a: string }>>();
holds<Same<RouteParameters<'/:a/:b/:c'>, { a: string; b: string; c: string }>>();
holds<Same<RouteParameters<'/:from-:to'>, { from: string; to: string }>>();
holds<Same<RouteParameters<'/:name.:ext'>, { name: string; ext: string }>>();
holds<Same<RouteParameters<'/:a@:b~:c'>, { a: string; b: string; c: string }>>();
holds<Same<RouteParameters<'/:$id_9'>, { $id_9: string }>>();
holds<Same<RouteParameters<'/:größe'>, { größe: string }>>();
holds<Same<RouteParameters<'/:"user-id"'>, { 'user-id': string }>>();
holds<Same<RouteParameters<'/:"user id"/*"the rest"'>, { 'user id': string; 'the rest': string[] }>>();
holds<Same<RouteParameters<'/*rest'>, { rest: string[] }>>();
holds<Same<RouteParameters<'/:a/*rest/end'>, { a: string; rest: string[] }>>();
holds<Same<RouteParameters<'/a{/:b}'>, { b?: string }>>();
holds<Same<RouteParameters<'/a{/*b}'>, { b?: string[] }>>();
holds<Same<RouteParameters<'/:a{/:b{/:c}}/:d'>, { a: string; b?: string; c?: string; d: string }>>();
holds<Same<RouteParameters<'/:a{.:b}{-:c}'>, { a: string; b?: string; c?: string }>>();
holds<Same<RouteParameters<'/\\:a/:b'>, { b: string }>>();
holds<Same<RouteParameters<'/\\{:a\\}'>, { a: string }>>();
holds<Same<RouteParameters<`/${string}/:a`>, { a: string }>>();
holds<Same<RouteParameters<'/a' | '/:a'>, {} | { a: string }>>();
holds<Same<RouteParameters<('/:a' | '/:b')[]>, { a?: string; b?: string }>>();
holds<Same<RouteParameters<readonly ['/:a', '/:a/:b']>, { a: string; b?: string }>>();
holds<Same<RouteParameters<['/:a', '/*a']>, { a: string | string[] }>>();
holds<Same<RouteParameters<['/a', '/b']>, {}>>();
holds<Same<RouteParameters<['/:a', RegExp]>, ParamsDictionary>>();
holds<Same<RouteParameters<string[]>, ParamsDictionary>>();
holds<Same<RouteParameters<[`${string}/:a`, '/:a/:b']>, { a: string; b?: string } & ParamsDictionary>>();
// The types accept paths that the router refuses at run time.
holds<Same<RouteParameters<'/*'>, ParamsDictionary>>();
holds<Same<RouteParameters<'/:'>, ParamsDictionary>>();
holds<Same<RouteParameters<'/:"a'>, ParamsDictionary>>();

// Long paths do not cause deep recursion in the compiler.
type Segment =
  '/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
holds<Same<RouteParameters<`${Segment}${Segment}${Segment}/:a${Segment}/*b`>, { a: string; b: string[] }>>();

const app = express();

app.get(['/a/:id', '/b/:id/:tab'], (req) => {
  holds<Same<typeof req.params.id, string>>();
  holds<Same<typeof req.params.tab, string | undefined>>();
  // @ts-expect-error -- no path names it
  req.params.other;
});

// A handler typed for any route does not hide the parameters of the path.
const signedIn: RequestHandler = (_req, _res, next) => next();
app.get('/users/:id', signedIn, (req) => {
  holds<Same<typeof req.params.id, string>>();
});
app.get('/users/:id', [signedIn, [signedIn]], (req) => {
  holds<Same<typeof req.params.id, string>>();
});
app.route('/users/:id').get(signedIn, (req) => {
  holds<Same<typeof req.params.id, string>>();
});

// A handler's own type of the parameters it reads must not contradict the path.
const byNumber: RequestHandler<{ id: string }> = (req, res) => res.send(req.params.id);
app.get('/:id', byNumber);
app.use('/:id', byNumber);

// What a handler declares holds where the path says otherwise: a validator may have replaced the strings.
declare function validate<P>(schema: { parse(value: unknown): P }): RequestHandler<P>;
declare const schema: { parse(value: unknown): { id: number; page?: Date } };
app.get('/users/:id/:tab{/:page}', validate(schema), (req) => {
  holds<Same<typeof req.params.id, number>>();
  holds<Same<typeof req.params.tab, string>>();
  holds<Same<typeof req.params.page, Date | undefined>>();
});
app.route('/users/:id').get(validate(schema), (req) => {
  holds<Same<typeof req.params.id, number>>();
});
app.get('/users/:id', validate({ parse: () => ({ id: 'me' as 'me' | 'all' }) }), (req) => {
  holds<Same<typeof req.params.id, 'me' | 'all'>>();
});

// The body that one handler of a route declares holds for those beside it.
declare const checked: RequestHandler<any, any, { name: string }>; // oxlint-disable-line typescript/no-explicit-any
app.route('/:id').post(checked, (req) => {
  holds<Same<typeof req.body, { name: string }>>();
});
