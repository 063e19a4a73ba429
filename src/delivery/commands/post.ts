import { z } from "zod";
import type { Config } from "../../kernel/config/index.ts";
import {
  type AddCommand,
  configOf,
  counted,
  exitCodes,
  print,
  secretIn,
  type Terminal,
  UserError,
} from "../../terminal/index.ts";
import { demo } from "../demo/names.ts";
import { unroutedSchema, unroutedText } from "../ingest/unrouted.ts";

interface PostOptions {
  url?: string;
  secretFile?: string;
  tag?: string[];
  photo?: string[];
  html?: boolean;
  markdown?: boolean;
  channel?: string[];
  ref?: string;
  json?: boolean;
}

const answerShape = z
  .object({
    message_id: z.string().optional(),
    unrouted: unroutedSchema.optional(),
    dropped: z.boolean().optional(),
    queued: z.number().optional(),
    deduped: z.number().optional(),
    failed_permanent: z.number().optional(),
    skipped_inflight: z.number().optional(),
    detail: z.string().optional(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .loose();
type Answer = z.infer<typeof answerShape>;

/** `molva post "text"`: sends a post through the same code as every other sender. */
export const addPost: AddCommand = (program, terminal) => {
  program
    .command("post")
    .description("post something through the ingest endpoint of a running server")
    .argument("[text]", "what to say")
    .option("--tag <tag...>", "routing tags, besides the text's hashtags")
    .option("--channel <id...>", "only into these channels, whatever their filters; all of them or none")
    .option("--photo <url...>", "photos, in order")
    .option("--html", "the text is HTML")
    .option("--markdown", "the text is Markdown")
    .option("--ref <id>", "your own id of the post: a repeat with the same one is dropped")
    .option(
      "--secret-file <path>",
      "a file that holds the endpoint's secret, - reads standard input; else MOLVA_SECRET, else the demo's",
    )
    .option("--url <url>", "the server; else MOLVA_PUBLIC_URL, else MOLVA_HOST and MOLVA_PORT")
    .option("--json", "one line of JSON")
    .action(async (text: string | undefined, options: PostOptions) => {
      if (!text?.trim() && !options.photo?.length)
        throw new UserError(
          'Nothing to post: give a text, as in `molva post "Привет"`, or a --photo.',
          exitCodes.usage,
        );
      if (options.html && options.markdown)
        throw new UserError("Choose one of --html and --markdown.", exitCodes.usage);
      const answer = await send(
        bodyOf(text, options),
        serverOf(configOf(terminal), options),
        await secretOf(terminal, options),
      );
      print(terminal, options, answer, () => said(answer));
      const { unrouted, queued = 0, failed_permanent = 0 } = answer;
      if (unrouted) throw new UserError(unroutedText(unrouted));
      if (queued === 0 && failed_permanent > 0)
        throw new UserError(`No channel can take it: molva why ${answer.message_id}`);
    });
};

function bodyOf(
  text: string | undefined,
  { tag, photo, html, markdown, channel, ref }: PostOptions,
): unknown {
  return {
    payload: {
      ...(text?.trim() ? { text } : {}),
      ...(html ? { parse_mode: "HTML" } : markdown ? { parse_mode: "Markdown" } : {}),
      ...(photo?.length ? { media: photo.map((url) => ({ type: "photo", url })) } : {}),
    },
    ...(tag?.length ? { tags: tag } : {}),
    ...(channel?.length ? { channel_ids: channel } : {}),
    ...(ref ? { source_ref: ref } : {}),
  };
}

async function send(body: unknown, server: string, secret: string): Promise<Answer> {
  const url = `${server}/api/v1/ingest`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-molva-secret": secret },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  }).catch((error: unknown) => {
    throw new UserError(
      `No server answers at ${server} (${error instanceof Error && error.cause instanceof Error ? error.cause.message : "no connection"}). Start it with \`npm start\`, or name it with --url.`,
      exitCodes.unreachable,
    );
  });
  const answer = answerShape.catch({}).parse(await response.json().catch(() => ({})));
  if (response.ok) return answer;
  const errors = (answer.errors ?? []).map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`).join("");
  throw new UserError(
    `The server refused the post (${response.status}): ${answer.detail ?? "no reason given"}${errors}`,
  );
}

function said(answer: Answer): string {
  if (answer.dropped)
    return "The server has taken this request already: the repeat was dropped. To send the post once more, give another --ref.";
  const id = answer.message_id ? `\n${answer.message_id}` : "";
  if (answer.unrouted) return `Stored, but on its way to no channel.${id}`;
  const parts = [
    `on its way to ${counted(answer.queued ?? 0, "channel")}`,
    ...(answer.deduped ? [`${counted(answer.deduped, "channel")} had it recently`] : []),
    ...(answer.skipped_inflight
      ? [`${counted(answer.skipped_inflight, "channel waits", "channels wait")} for it already`]
      : []),
    ...(answer.failed_permanent
      ? [`${counted(answer.failed_permanent, "channel")} cannot take it (molva why says why)`]
      : []),
  ];
  return `Accepted: ${parts.join(", ")}.${id}`;
}

function serverOf(config: Config, { url }: PostOptions): string {
  const host = ["0.0.0.0", "::"].includes(config.MOLVA_HOST) ? "127.0.0.1" : config.MOLVA_HOST;
  return (url ?? config.MOLVA_PUBLIC_URL ?? `http://${host}:${config.MOLVA_PORT}`).replace(/(?<!\/)\/+$/, "");
}

async function secretOf(terminal: Terminal, { secretFile }: PostOptions): Promise<string> {
  const given = (await secretIn(secretFile)) ?? terminal.environment.MOLVA_SECRET?.trim();
  if (given) return given;
  if (configOf(terminal).MOLVA_ENV === "demo") return demo.secret;
  throw new UserError(
    "Give the endpoint's secret: --secret-file or MOLVA_SECRET. `molva endpoint add <name>` makes an endpoint and shows its secret once.",
    exitCodes.usage,
  );
}
