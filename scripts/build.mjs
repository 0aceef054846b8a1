import { compile, compilePackage } from './lib/compile.mjs';
import { setup } from './lib/setup.mjs';

await setup(console.log);
await compilePackage();
await compile('packages/lab/tsconfig.json');
await compile('tsconfig.tests.json');
