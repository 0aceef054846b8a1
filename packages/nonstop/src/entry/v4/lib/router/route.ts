import { deep } from '../../../../express/v4/deep.js';

export = deep['router/route'];
