// Runs the tables of the folder above with Express 4.
import './mean-express-4.js';
import '../req.accepts.test.js';
import '../req.address.test.js';
import '../req.cookies.test.js';
import '../req.fresh.test.js';
import '../req.get.test.js';
import '../req.is.test.js';
import '../req.params.test.js';
import '../req.query.test.js';
import '../req.range.test.js';
import '../req.url.test.js';
