import { type AddCommand, type Common, print, UserError, viewing, withCore } from "../../terminal/index.ts";
import { type RenderReport, renderPost } from "../render/index.ts";
import { channelCalled, channelName, channelNaming } from "./called.ts";
import { type PostFile, postIn, takingPost } from "./post-file.ts";
import { readerView } from "./reader-view.ts";

interface RenderOptions extends Common, PostFile {
  readonly channel: string;
  readonly strict?: boolean;
}

/** `molva render --channel X [file]`: a post as a channel would show it; nothing is stored and nothing is sent. */
export const addRender: AddCommand = (program, terminal) => {
  const command = program
    .command("render")
    .description("show what a channel would make of a post: messages, requests, losses");
  takingPost(viewing(command))
    .requiredOption("--channel <channel>", channelNaming)
    .option("--strict", "refuse the post if anything of it would be lost")
    .action(async (file: string, options: RenderOptions) => {
      const payload = await postIn(file, options);
      const report = await withCore(terminal, options, async (core, workspaceId) => {
        const { channel_id } = await channelCalled(core, workspaceId, options.channel);
        const { strict } = options;
        return renderPost(core, workspaceId, { channel_id, payload, strict });
      });
      print(terminal, options, report, () => shown(report, terminal.isTerminal));
      if (report.error) throw new UserError(`The channel would refuse this post: ${report.error.message}.`);
    });
};

function shown(
  { channel, messages, requests, losses, repairs, template_version }: RenderReport,
  styled: boolean,
) {
  const parts = [
    channelName(channel),
    ...(template_version ? [`by the template ${template_version}`] : []),
    ...messages.map((message, index) =>
      [`── message ${index + 1} of ${messages.length} `.padEnd(60, "─"), readerView(message, styled)].join(
        "\n",
      ),
    ),
    ...requests.map(requestView),
    ...listed("Lost on this platform:", losses),
    ...listed("Put right in the text:", repairs),
  ];
  return parts.join("\n\n");
}

function requestView({ method, path, query, body }: RenderReport["requests"][number]): string {
  const asked = new URLSearchParams(query).toString();
  return `${method} ${path}${asked && `?${asked}`}\n${JSON.stringify(body, null, 2)}`;
}

function listed(title: string, items: RenderReport["repairs"]): string[] {
  if (items.length === 0) return [];
  const width = Math.max(...items.map(({ code }) => code.length));
  const lines = items.map(({ code, message, position }) => {
    const place = position ? ` (line ${position.line}, column ${position.column})` : "";
    return `  ${code.padEnd(width)}  ${message}${place}`;
  });
  return [[title, ...lines].join("\n")];
}
