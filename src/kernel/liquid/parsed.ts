import type { Liquid, Template } from "liquidjs";

const remembered = new WeakMap<Liquid, Map<string, Template[]>>();
const most = 200;

/** Caches parsed bodies: parsing takes longer than rendering, and the same body is usually rendered again. */
export function parsed(engine: Liquid, body: string): Template[] {
  const known = remembered.get(engine) ?? new Map<string, Template[]>();
  remembered.set(engine, known);
  const templates = known.get(body) ?? engine.parse(body);
  if (known.size >= most) known.clear();
  known.set(body, templates);
  return templates;
}
