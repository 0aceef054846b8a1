import express, { type Request, type RequestHandler } from 'nonstop';
import { holds, type Same } from './expect.js';

declare global {
  namespace Express {
    interface User {
      id: number;
    }
    interface Request {
      user?: User;
      startedAt: number;
    }
    interface Response {
      flushAll(): void;
    }
    interface Locals {
      nonce: string;
    }
    interface Application {
      ws(path: string): void;
    }
  }
}

const app = express();
app.ws('/chat');
app.locals.nonce = 'a';
app.get('/', (req, res) => {
  holds<Same<typeof req.user, Express.User | undefined>>();
  holds<Same<typeof req.startedAt, number>>();
  holds<Same<typeof res.locals.nonce, string>>();
  res.flushAll();
  // @ts-expect-error -- a user may be missing
  req.user.id;
});

const withUser: RequestHandler = (req, _res, next) => {
  req.user = { id: 1 };
  next();
};
app.use(withUser);

interface SignedIn extends Request {
  user: Express.User;
}
export function isSignedIn(req: Request): req is SignedIn {
  return req.user !== undefined;
}
