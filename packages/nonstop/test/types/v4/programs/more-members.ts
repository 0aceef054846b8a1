// What packages add: in the module of the framework, and by a cast to a type with more members.
import express, { Router, type Express, type Request, type Response } from 'nonstop/v4';
import { holds, type Same } from '../../programs/expect.js';

declare module 'nonstop/v4' {
  interface Request {
    tenantOfModule?: string;
  }
  interface Response {
    sendTenantOfModule?(): void;
  }
}
interface Grouping extends Router {
  group(prefix: string): this;
}
interface Chatting extends Express {
  ws(path: string): this;
}

const router = Router() as Grouping;
router.group('/a').get('/:id', (req: Request<{ id: string }>, res: Response) => {
  holds<Same<typeof req.tenantOfModule, string | undefined>>();
  res.sendTenantOfModule?.();
});
const app = express() as Chatting;
app.ws('/a').use(router);
