import { startTwins } from "../../../twins/index.ts";
import { paths } from "../../kernel/paths/index.ts";
import { type AddCommand, configOf, untilAskedToStop } from "../../terminal/index.ts";
import { type TwinsMessage, twinsFailure } from "../twins.ts";

/** `molva twin`: the provider emulators alone. If `molva up` starts them, they end with it. */
export const addTwin: AddCommand = (program, terminal) => {
  program
    .command("twin")
    .description("run the provider emulators alone, reachable from this machine only")
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
        const problem = twinsFailure(error, config.MOLVA_TWIN_PORT);
        if (!process.send) throw problem;
        // The parent process prints the address, so it is not printed twice.
        tell({ error: problem.message });
        process.disconnect();
      }
    });
};

/** Ctrl-C in a terminal reaches the whole process group; the parent decides when the twins stop. */
function untilParentLeaves(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  return new Promise((resolve) => process.once("disconnect", () => resolve()));
}
