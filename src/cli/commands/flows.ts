import {
  type Flow,
  graphOf,
  mermaidOf,
  mermaidOfScreens,
  printGraph,
  printScreens,
  type Route,
} from "../../dialogs/index.ts";
import { type AddCommand, print } from "../../terminal/index.ts";

interface Options {
  readonly json?: boolean;
  readonly mermaid?: boolean;
}

/** The screens of a module, printed under its name together with its flows. */
export interface Screens {
  readonly name: string;
  readonly screens: readonly Route<never>[];
  readonly flows?: readonly Flow<never>[];
}

/** `molva flows [name]`: the steps of the bots' conversations; a module's name prints its flows and screens. */
export function flowsCommand(flows: readonly Flow<never>[], screens: readonly Screens[] = []): AddCommand {
  return (program, terminal) =>
    void program
      .command("flows")
      .description("the bots' conversations: states and transitions")
      .argument("[name]", "one flow, or everything of a module: seo")
      .option("--mermaid", "as Mermaid diagrams")
      .option("--json", "one line of JSON")
      .action((name: string | undefined, options: Options, command) => {
        const all = flows.map(graphOf);
        const ofModule = screens.find((each) => each.name === name)?.flows?.map((flow) => flow.name) ?? [];
        const graphs = all.filter(
          ({ flow }) => name === undefined || flow === name || ofModule.includes(flow),
        );
        const shown = screens.filter((each) => name === undefined || each.name === name);
        if (name !== undefined && graphs.length + shown.length === 0) {
          const names = [...all.map(({ flow }) => flow), ...screens.map((each) => each.name)];
          const known = names.join(", ") || "there is none yet";
          command.error(`There is no flow ${name}. Known: ${known}.`);
        }
        const routes = shown.flatMap((each) =>
          each.screens.map(({ path, to, commands = [] }) => ({ module: each.name, path, to, commands })),
        );
        const json = { flows: graphs, ...(routes.length > 0 && { screens: routes }) };
        const [flowText, screenText] = options.mermaid
          ? [mermaidOf, mermaidOfScreens]
          : [printGraph, printScreens];
        print(terminal, options, json, () => {
          const parts = [...graphs.map(flowText), ...shown.map((each) => screenText(each.screens))];
          return parts.length === 0 ? "No flows yet." : parts.join("\n\n");
        });
      });
}
