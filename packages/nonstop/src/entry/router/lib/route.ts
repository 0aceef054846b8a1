import { deep } from '../../../express/deep.js';

export = deep['router/lib/route'];
