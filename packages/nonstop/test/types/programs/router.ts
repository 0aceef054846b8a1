import express, { Router, type IRoute, type IRouter, type RouterOptions } from 'nonstop';
import { holds, type Same } from './expect.js';

const options: RouterOptions = { caseSensitive: true, mergeParams: true, strict: false };
const router: Router = Router(options);
const qualified: express.Router = express.Router();
// @ts-expect-error -- a switch is a boolean
Router({ strict: 1 });

router.use((req, res, next) => {
  void [req, res];
  next('router');
});
router.get('/:id', (req, res) => {
  holds<Same<typeof req.params.id, string>>();
  res.end();
});
router.param('id', (_req, _res, next, id, name) => {
  void [id, name];
  next();
});
router
  .route('/users/:userId')
  .all((_req, _res, next) => next())
  .get((req, res) => {
    holds<Same<typeof req.params.userId, string>>();
    res.end();
  })
  .post([(_req: express.Request, _res: express.Response, next: express.NextFunction) => next()])
  .delete((_req, res) => res.end());
const route: IRoute = router.route(['/a', '/b']);
route.get((_req, res) => res.end());
router.use('/nested', qualified);

function addTo(target: IRouter): void {
  target.get('/added', (_req, res) => res.end());
}
addTo(router);
addTo(express());
express().use('/api', router);

// A cast to a router with more members, which a package adds at run time.
interface Grouping extends Router {
  group(prefix: string): this;
}
const grouping = Router() as Grouping;
// oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the cast is what the call takes its type from
(Router({ mergeParams: true }) as Router & { ws(path: string): void }).ws('/a');
grouping.group('/a').get('/b', (_req, res) => res.end());

export default router;
