import {
  kAllowed,
  kFind,
  kHandleError,
  kHandleRequest,
  kIsAnywhere,
  kIsDirect,
  kIsPlain,
  kServes,
  kServing,
  type Match,
  type Params,
} from './shapes.js';

/** How an Express names the methods of its layers and routes. */
export interface PublicNames {
  readonly request: string;
  readonly error: string;
  readonly serves: string;
  readonly allowed: string;
}

/** What `match` of a foreign layer returns, or leaves on the layer. */
interface Told {
  readonly params: Params;
  readonly path: string;
  readonly keys?: readonly (string | { readonly name: unknown })[] | undefined;
  readonly pattern?: unknown;
}

interface Matching {
  match(path: string): Told | boolean;
}

interface ForeignLayer extends Matching {
  readonly [name: string]: unknown;
}

interface ForeignRoute {
  readonly [name: string]: (method?: unknown) => unknown;
}

/**
 * Returns a function that lets a walk use layers that are not Nonstop's: a plain object with a `match` and a handler of its own, as
 * passport-stub puts it into the stack, or a layer of an Express that is installed beside Nonstop. It has only Express's methods, so those of
 * the walk are defined on it under symbols. A layer that cannot be extended stays as it is.
 */
export function adoptingBy(names: PublicNames): (layer: unknown) => void {
  const layers = membersOfLayers(names);
  const routes = membersOfRoutes(names);
  return (layer) => {
    adopt(layer, kFind, layers);
    if (isObject(layer)) adopt((layer as Partial<ForeignLayer>)['route'], kServes, routes);
  };
}

function adopt(value: unknown, known: symbol, members: PropertyDescriptorMap): void {
  if (isObject(value) && !(known in value) && Object.isExtensible(value)) Object.defineProperties(value, members);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function membersOfLayers({ request, error }: PublicNames): PropertyDescriptorMap & ThisType<ForeignLayer> {
  return {
    [kFind]: {
      value(path: string) {
        return findByMatch(this, path);
      },
    },
    [kIsAnywhere]: { value: false },
    [kIsDirect]: { value: false },
    [kHandleRequest]: {
      get() {
        return this[request];
      },
    },
    [kHandleError]: {
      get() {
        return this[error];
      },
    },
  };
}

/** Calls the `match` of a program. One that was written for Express 4 or router 2.0 to 2.2 leaves on the layer what it found. */
export function findByMatch(layer: Matching, requested: string): Match | false {
  const match = layer.match(requested);
  if (!match) return false;
  const { params, path, keys = [], pattern } = match === true ? (layer as object as Told) : match;
  return { params, path, keys: keys.map((key) => (isObject(key) ? String(key.name) : key)), pattern };
}

function membersOfRoutes({ serves, allowed }: PublicNames): PropertyDescriptorMap & ThisType<ForeignRoute> {
  return {
    [kServes]: {
      value(method: unknown) {
        return this[serves](method);
      },
    },
    [kAllowed]: {
      value() {
        return this[allowed]();
      },
    },
    [kServing]: { value: (method: unknown) => method },
    [kIsPlain]: { value: false },
  };
}
