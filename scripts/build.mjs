import { compile, compilePackage } from './lib/compile.mjs';
import { setup } from './lib/setup.mjs';

await setup(console.log);
await compilePackage();
await compile('bench/tsconfig.json');
await compile('test/tsconfig.json');
