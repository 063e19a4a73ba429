/** Patterns that may take more than linear time, because their text is trusted. */
export const allowed = [
  {
    file: "src/kernel/db/function-files.ts",
    source: "DROP FUNCTION .+\\)",
    why: "reads a hint of PostgreSQL about our own functions",
  },
  {
    file: "src/kernel/db/survive-lost-connections.ts",
    source: "at (Immediate\\.)?nextWrite \\(.*postgres.*connection\\.js",
    why: "reads the stack of an error of our own process",
  },
];

const letter = "[\\p{Script=Arabic}\\p{Script=Khmer}]";

/** Patterns that are constructed at run time, with examples of the result. `code` is part of the call. */
export const made = [
  {
    file: "src/content/clean-text.ts",
    code: "(?<flag>",
    examples: [
      new RegExp(
        `\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{1,8}\\u{E007F}|(?<=[\\uFE0F])\\u200D(?=\\p{L})|(?<=${letter})[\\u200C\\u200D](?=${letter})|\\r\\n?`,
        "gu",
      ),
    ],
  },
  { file: "src/content/clean-text.ts", code: "\\\\u000B-\\\\u001F", examples: [/[\u2028-\u202E]/u] },
  { file: "src/kernel/storage/s3-xml.ts", code: "name}>", examples: [/<Key>([^<]*)<\/Key>/] },
  {
    file: "src/delivery/pull/html/tokens.ts",
    code: "name}",
    examples: [/(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i],
  },
  { file: "twins/max/api.ts", code: "path.replace", examples: [/^\/messages\/[^/]+\/comments$/] },
  {
    file: "twins/telegram/text/detect.ts",
    code: "topDomains}",
    examples: [
      /(?<![\p{L}\p{N}_@./-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:com|ru)(?![\p{L}\p{N}_-])(?::\d+)?(?:[/?#][^\s<>«»"]*)?/giu,
    ],
  },
  // The caller's own schema; the twin runs on the caller's machine.
  { file: "twins/llm/sample/accepts.ts", code: "RegExp(pattern", examples: [] },
  { file: "twins/llm/sample/accepts.ts", code: "RegExp(text", examples: [] },
];
