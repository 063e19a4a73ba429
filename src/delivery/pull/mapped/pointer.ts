/** The value at a JSON pointer (RFC 6901), or undefined. Own properties only. */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === "") return document;
  let place = document;
  for (const step of pointer.slice(1).split("/")) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    place = Reflect.get(place, key);
  }
  return place;
}
