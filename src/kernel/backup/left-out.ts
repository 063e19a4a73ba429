/** Tables that no backup holds, each with the reason. Every other table of Molva is in every backup. */
export const leftOut: Readonly<Record<string, string>> = {
  "molva.kv":
    "short-lived values that a crash of PostgreSQL empties, too: throttles, counters, sign-ins under way",
  "molva.migrations": "restoring runs the migrations, which write it; the manifest lists them",
  "molva.functions": "restoring applies the functions of the release, which writes it",
  "molva.restored": "says that this very database was restored and is not released yet",
  "graphile_worker.migrations": "the job queue's migrations write it",
};
