// Calls that match no overload, with the words that the compiler's message must contain.
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'nonstop';
import express4 from 'nonstop/v4';

interface User {
  name: string;
}
const app = express();
const router = express.Router();
const needsUser = (req: Request & { user: User }, res: Response): void => void res.send(req.user.name);
const needsUser4 = (req: express4.Request & { user: User }, res: express4.Response): void =>
  void res.send(req.user.name);
const five = (a: unknown, b: Request, c: Response, d: NextFunction, e: string): unknown => [a, b, c, d, e];
const needsId: RequestHandler<{ id: string }> = (req, res) => void res.send(req.params.id);

app.get('/me', needsUser); // says: Property 'user' is missing in type 'Request
app.use(needsUser); // says: Property 'user' is missing in type 'Request
app.use('/me', needsUser); // says: Property 'user' is missing in type 'Request
router.use(needsUser); // says: Property 'user' is missing in type 'Request
router.post('/me', (req, res) => void res.send(req.path), needsUser); // says: Property 'user' is missing in type 'Request
app.route('/me').get(needsUser); // says: Property 'user' is missing in type 'Request
express4().use(needsUser4); // says: Property 'user' is missing in type 'Request
express4().get('/me', needsUser4); // says: Property 'user' is missing in type 'Request
app.get('/number', 1); // says: 'number' is not assignable to parameter of type 'Nested<RequestHandler
app.use(1); // says: 'number' is not assignable to parameter of type 'Nested<RequestHandler
app.get('/text', 'text'); // says: 'string' is not assignable to parameter of type 'Nested<RequestHandler
app.use('/five', five); // says: Expected 5 or more, but got 3

app.get('/users/:id', (req) => req.params.none); // says: 'none' does not exist on type '{ id: string; }'
app.route('/users/:id').get((req) => req.params.none); // says: 'none' does not exist on type '{ id: string; }'
express4().get('/users/:id', (req) => req.params.none); // says: 'none' does not exist on type '{ id: string; }'

app.get('/:id', needsId);
app.get('/:name', needsId);
