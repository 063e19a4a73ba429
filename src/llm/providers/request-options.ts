import type { ModelCall } from "./model-call.ts";

/**
 * The options of a policy as fields of a request. OpenRouter repairs the JSON of answers by a plugin of its own, but not that
 * of streams; other providers have no such thing.
 */
export function requestOptions({
  provider,
  options,
  shape,
  onWords,
}: Pick<ModelCall, "provider" | "options" | "shape" | "onWords">): Readonly<Record<string, unknown>> {
  const { response_healing: heals, ...fields } = options;
  const healed = heals === true && provider === "openrouter" && shape !== undefined && !onWords;
  return healed ? { ...fields, plugins: [{ id: "response-healing" }] } : fields;
}
