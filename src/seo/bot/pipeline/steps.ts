/** The first four steps of both pipelines, by the names of their states. */
const steps = {
  project: /^(?:repeat$|select_project|create_project)/,
  place: /^(?:select_wp|select_connection|connect_)/,
  category: /^(?:select|create)_category/,
  readiness: /^(?:readiness_|configure_images|images_count)/,
} as const;
export type FirstStep = keyof typeof steps;

/** Undefined: it comes after them. */
export function firstStepOf(state: string): FirstStep | undefined {
  const names: readonly FirstStep[] = ["project", "place", "category", "readiness"];
  return names.find((name) => steps[name].test(state));
}

/** Whether the person may leave without a question: nothing was prepared or paid yet. */
export function isEarly(state: string): boolean {
  const step = firstStepOf(state);
  return step !== undefined && step !== "readiness";
}
