// What a program adds in the module of the framework, as packages for Express do: cookie-parser's `req.secret`.
import express, { type NextFunction, type Request, type Response } from 'nonstop';
import { holds, type Same } from './expect.js';

declare module 'nonstop' {
  interface Request {
    tenantOfModule?: string;
  }
  interface Response {
    sendTenantOfModule?(): void;
  }
}

export const tenant = (req: Request, res: Response, next: NextFunction): void => {
  holds<Same<typeof req.tenantOfModule, string | undefined>>();
  res.sendTenantOfModule?.();
  next();
};
const app = express();
app.use(tenant);
app.get('/:id', tenant, (req: express.Request<{ id: string }>, res: express.Response) => {
  res.send([req.tenantOfModule, req.params.id]);
});
