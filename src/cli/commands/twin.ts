import { startTwins } from "../../../twins/index.ts";
import { paths } from "../../kernel/paths/index.ts";
import { type AddCommand, configOf } from "../command.ts";
import { UserError } from "../failure.ts";
import { untilAskedToStop } from "../signals.ts";
import type { TwinsMessage } from "../twins.ts";

/** `molva twin`: the provider emulators alone. Started by `molva up` with a channel to it, they end when it does. */
export const addTwin: AddCommand = (program, terminal) => {
  program
    .command("twin")
    .description("run the provider emulators alone; only this machine reaches them")
    .option(
      "--home <folder>",
      "keep chats and files in this folder; without it they are forgotten at the end",
    )
    .option("--strict-webhooks", "demand https webhooks on the providers' ports, as the providers do")
    .option("--no-rate-limits", "do not answer 429 by rate, for benchmarks")
    .action(async (options: { home?: string; strictWebhooks?: boolean; rateLimits: boolean }) => {
      const config = configOf(terminal);
      const tell = (message: TwinsMessage) => process.send?.(message);
      try {
        const twins = await startTwins({
          port: config.MOLVA_TWIN_PORT,
          web: paths.web,
          home: options.home,
          insecureWebhooks: !options.strictWebhooks,
          rateLimits: options.rateLimits,
        });
        tell({ url: twins.url });
        terminal.out(`The twins listen on ${twins.url}; their chat page is there too. Ctrl-C stops them.`);
        await (process.connected ? untilParentLeaves() : untilAskedToStop());
        await twins.close();
      } catch (error) {
        const problem = portProblem(error, config.MOLVA_TWIN_PORT);
        if (!process.send) throw problem;
        // Who started the twins says it to the person; both would be once too often.
        tell({ error: problem.message });
        process.disconnect();
      }
    });
};

/** A terminal's Ctrl-C reaches the whole group; the parent decides when its turn has come. */
function untilParentLeaves(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  return new Promise((resolve) => process.once("disconnect", () => resolve()));
}

function portProblem(error: unknown, port: number): Error {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new UserError(
      `Port ${port} for the twins is taken; stop what uses it, or set MOLVA_TWIN_PORT to another one.`,
    );
  if (code === "EACCES")
    return new UserError(`Port ${port} for the twins needs more rights; set MOLVA_TWIN_PORT above 1023.`);
  return error instanceof Error ? error : new Error(String(error));
}
