import { extname } from "node:path";
import { Option } from "commander";
import { z } from "zod";
import { markdownDialects } from "../../content/index.ts";
import { type RenderReport, renderBody, renderPost } from "../../delivery/index.ts";
import { type Common, checked, textOf, viewing } from "../administer.ts";
import { type AddCommand, print } from "../command.ts";
import { exitCodes, UserError } from "../failure.ts";
import { channelCalled, channelName, channelNaming } from "../lookup.ts";
import { readerView } from "../reader-view.ts";
import { withCore } from "../with-core.ts";

interface RenderOptions extends Common {
  readonly channel: string;
  readonly html?: boolean;
  readonly markdown?: boolean;
  readonly dialect?: string;
  readonly photo?: string[];
  readonly strict?: boolean;
}

/** `molva render --channel X [file]`: a post as a channel would show it; nothing is stored and nothing is sent. */
export const addRender: AddCommand = (program, terminal) => {
  const command = program
    .command("render")
    .description("show what a channel would make of a post: messages, requests, losses");
  viewing(command)
    .argument(
      "[file]",
      "text by its ending (.html, .md, .txt), a payload (.json), or - for standard input",
      "-",
    )
    .requiredOption("--channel <channel>", channelNaming)
    .option("--html", "the text is HTML")
    .option("--markdown", "the text is Markdown")
    .addOption(
      new Option("--dialect <name>", "which Markdown; commonmark unless given").choices(markdownDialects),
    )
    .option("--photo <url...>", "photos, in order")
    .option("--strict", "refuse the post if anything of it would be lost")
    .action(async (file: string, options: RenderOptions) => {
      if (options.html && options.markdown)
        throw new UserError("Choose one of --html and --markdown.", exitCodes.usage);
      const payload = payloadOf(await textOf(file), file, options);
      const report = await withCore(terminal, options, async (core, workspaceId) => {
        const { channel_id } = await channelCalled(core, workspaceId, options.channel);
        const { strict } = options;
        return renderPost(core, workspaceId, { channel_id, payload, strict });
      });
      print(terminal, options, report, () => shown(report, terminal.isTerminal));
      if (report.error) throw new UserError(`The channel would refuse this post: ${report.error.message}.`);
    });
};

const modes: Readonly<Record<string, string>> = {
  ".html": "HTML",
  ".htm": "HTML",
  ".md": "Markdown",
  ".markdown": "Markdown",
};

function payloadOf(source: string, file: string, options: RenderOptions) {
  const ending = extname(file).toLowerCase();
  const given = ending === ".json" ? fromJson(source, file) : { text: source };
  const mode = options.html ? "HTML" : options.markdown || options.dialect ? "Markdown" : modes[ending];
  return checked(
    renderBody.shape.payload,
    {
      ...given,
      ...(mode && { parse_mode: mode }),
      ...(options.dialect && { dialect: options.dialect }),
      ...(options.photo && { media: options.photo.map((url) => ({ type: "photo", url })) }),
    },
    file === "-" ? "" : file,
  );
}

const anObject = z.record(z.string(), z.unknown());

/** A payload, or a whole body of ingest with one inside. */
function fromJson(source: string, file: string): Record<string, unknown> {
  try {
    const body = anObject.parse(JSON.parse(source));
    return anObject.safeParse(body.payload).data ?? body;
  } catch {
    throw new UserError(`${file} is not a JSON object.`, exitCodes.usage);
  }
}

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
