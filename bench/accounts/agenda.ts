/** A priority queue: earliest first; equal ones in the order of insertion. */
export interface Agenda<T> {
  put(at: number, what: T): void;
  take(): { readonly at: number; readonly what: T } | undefined;
}

interface Entry<T> {
  readonly at: number;
  readonly order: number;
  readonly what: T;
}

/** A binary heap. */
export function createAgenda<T>(): Agenda<T> {
  const heap: Entry<T>[] = [];
  let order = 0;
  const before = (one: Entry<T>, other: Entry<T>) =>
    one.at < other.at || (one.at === other.at && one.order < other.order);
  const entry = (index: number): Entry<T> => {
    const found = heap[index];
    if (!found) throw new Error(`the agenda has no entry ${index}`);
    return found;
  };
  const swap = (one: number, other: number) => {
    const kept = entry(one);
    heap[one] = entry(other);
    heap[other] = kept;
  };

  return {
    put(at, what) {
      heap.push({ at, order: order++, what });
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (!before(entry(index), entry(parent))) break;
        swap(index, parent);
        index = parent;
      }
    },
    take() {
      const first = heap[0];
      const last = heap.pop();
      if (!first || !last || heap.length === 0) return first;
      heap[0] = last;
      for (let index = 0; ; ) {
        let least = index;
        for (const child of [2 * index + 1, 2 * index + 2])
          if (child < heap.length && before(entry(child), entry(least))) least = child;
        if (least === index) return first;
        swap(index, least);
        index = least;
      }
    },
  };
}
