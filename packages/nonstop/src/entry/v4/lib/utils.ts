import { deep } from '../../../express/v4/deep.js';

export = deep['lib/utils'];
