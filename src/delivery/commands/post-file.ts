import { extname } from "node:path";
import { type Command, Option } from "commander";
import { z } from "zod";
import { markdownDialects } from "../../content/index.ts";
import { checked, exitCodes, textOf, UserError } from "../../terminal/index.ts";
import { renderBody } from "../render/index.ts";

/** Options for reading a file as a post. */
export interface PostFile {
  readonly html?: boolean;
  readonly markdown?: boolean;
  readonly dialect?: string;
  readonly photo?: string[];
}

/** Adds the argument for a file with a post. */
export function takingPost(command: Command): Command {
  return command
    .argument(
      "[file]",
      "text by its ending (.html, .md, .txt), a payload (.json), or - for standard input",
      "-",
    )
    .option("--html", "the text is HTML")
    .option("--markdown", "the text is Markdown")
    .addOption(
      new Option("--dialect <name>", "which Markdown; commonmark unless given").choices(markdownDialects),
    )
    .option("--photo <url...>", "photos, in order");
}

const modes: Readonly<Record<string, string>> = {
  ".html": "HTML",
  ".htm": "HTML",
  ".md": "Markdown",
  ".markdown": "Markdown",
};

/** Reads the post from a file, or from standard input. */
export async function postIn(file: string, options: PostFile) {
  if (options.html && options.markdown)
    throw new UserError("Choose one of --html and --markdown.", exitCodes.usage);
  const source = await textOf(file);
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

/** Accepts a payload, or a whole body of ingest that contains one. */
function fromJson(source: string, file: string): Record<string, unknown> {
  try {
    const body = anObject.parse(JSON.parse(source));
    return anObject.safeParse(body.payload).data ?? body;
  } catch {
    throw new UserError(`${file} is not a JSON object.`, exitCodes.usage);
  }
}
