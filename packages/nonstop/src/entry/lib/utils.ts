import { deep } from '../../express/deep.js';

export = deep['lib/utils'];
