/**
 * A set whose members come and go, as connections do.
 *
 * A set of JavaScript moves to another table when it is full of deleted entries, and V8 links the table that it leaves to that one. Once such a table
 * is in the heap's old space, the young collections keep all later ones with the members that they had: for connections that close after each
 * answer each of these collections took 6 ms instead of 0.5 (Node 24 and 26). Another set from time to time, which no table links to, ends that.
 */
export class PassingSet<T> implements Iterable<T> {
  private members = new Set<T>();
  /** Members that came since the set was made. */
  private since = 0;

  get size(): number {
    return this.members.size;
  }

  has(member: T): boolean {
    return this.members.has(member);
  }

  add(member: T): void {
    if (isWorn(++this.since, this.members.size)) {
      this.members = new Set(this.members);
      this.since = 0;
    }
    this.members.add(member);
  }

  delete(member: T): boolean {
    return this.members.delete(member);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.members.values();
  }
}

/**
 * Whether a set or map should be replaced by another one with the same members, which is rare enough to cost some 40 ns for each that comes.
 *
 * @param since members that came since it was made
 * @param size members that it has
 */
export function isWorn(since: number, size: number): boolean {
  return since > 2 * size + 64;
}
