// What is typed with @types/express 4 is accepted, and vice versa.
import express4 = require('express4');
import express from 'nonstop/v4';

const theirs: express4.RequestHandler = (req, res, next) => (req.secure ? next() : void res.sendStatus(403));
const ours: express.RequestHandler = (req, res, next) => (req.secure ? next() : void res.sendStatus(403));

const app = express();
app.use(theirs, express4.json());
express4().use(ours);

// Applications and routers.
const applications: express.Express[] = [express4(), express()];
const applicationsBack: express4.Express[] = [...applications, express()];
const routers: express.Router[] = [express4.Router(), express.Router()];
const routersBack: express4.Router[] = [...routers, express.Router()];

const { del, lazyrouter } = app;
export { applicationsBack, del, lazyrouter, routersBack };
