// Runs the tables of the folder above with Express 4.
import './mean-express-4.js';
import '../app.depth.test.js';
import '../app.errors.test.js';
import '../app.frozen.test.js';
import '../app.listen.test.js';
import '../app.mount.test.js';
import '../app.paths.test.js';
import '../app.routing.test.js';
import '../app.settings.test.js';
import '../app.stores.test.js';
import '../express.extension.test.js';
import '../servers.test.js';
import '../said.test.js';
