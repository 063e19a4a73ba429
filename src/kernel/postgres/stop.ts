import { livePostmaster } from "./postmaster.ts";
import { hasEnded, signal } from "./processes.ts";
import { patience } from "./server-settings.ts";

/** Each step is harsher than the one before; none loses committed data. */
const steps = [
  { signal: "SIGINT", milliseconds: patience.stopFast },
  { signal: "SIGQUIT", milliseconds: patience.stopImmediate },
  { signal: "SIGKILL", milliseconds: patience.stopKilled },
] as const;

/** Stops the server of this data folder, if one runs, within a limited time. */
export async function stopServer(dataFolder: string): Promise<void> {
  const server = await livePostmaster(dataFolder);
  if (!server) return;
  for (const step of steps) {
    signal(server.pid, step.signal);
    if (await hasEnded(server.pid, step.milliseconds)) return;
  }
}
