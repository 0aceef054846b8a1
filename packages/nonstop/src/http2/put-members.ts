/** Defines members on a prototype, not enumerable, as those of node's classes are. */
export function putMembers(prototype: object, ...parts: readonly object[]): void {
  for (const part of parts) {
    const descriptors = Object.getOwnPropertyDescriptors(part) as Record<PropertyKey, PropertyDescriptor>;
    for (const name of Reflect.ownKeys(descriptors))
      Object.defineProperty(prototype, name, { ...descriptors[name], enumerable: false });
  }
}
