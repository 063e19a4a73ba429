import { type Flow, graphOf, mermaidOf, printGraph } from "../../dialogs/index.ts";
import { type AddCommand, print } from "../../terminal/index.ts";

interface Options {
  readonly json?: boolean;
  readonly mermaid?: boolean;
}

/** `molva flows [name]`: the steps of the bots' conversations. */
export function flowsCommand(flows: readonly Flow<never>[]): AddCommand {
  return (program, terminal) =>
    void program
      .command("flows")
      .description("the bots' conversations: states and transitions")
      .argument("[name]", "one flow")
      .option("--mermaid", "as Mermaid diagrams")
      .option("--json", "one line of JSON")
      .action((name: string | undefined, options: Options, command) => {
        const all = flows.map(graphOf);
        const graphs = all.filter(({ flow }) => name === undefined || flow === name);
        if (name !== undefined && graphs.length === 0) {
          const known = all.map(({ flow }) => flow).join(", ") || "there is none yet";
          command.error(`There is no flow ${name}. Known: ${known}.`);
        }
        print(terminal, options, { flows: graphs }, () =>
          graphs.length === 0
            ? "No flows yet."
            : graphs.map((graph) => (options.mermaid ? mermaidOf(graph) : printGraph(graph))).join("\n\n"),
        );
      });
}
