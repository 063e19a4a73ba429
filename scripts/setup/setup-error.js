// Errors of the user's machine, each as one sentence that says what to do.

export class SetupError extends Error {
  /** `output`: what the tool that failed printed, shown before the sentence. */
  constructor(sentence, output = "") {
    super(sentence);
    this.output = output;
  }
}

/** The first whose pattern is found in an error's code or a tool's output. */
const known = [
  [
    /ENOSPC|no space left|EDQUOT/i,
    (root) => `The disk that holds ${root} is full; free about 1 GB and try again.`,
  ],
  [
    /EROFS|read-only file system/i,
    (root) => `${root} is on a read-only file system; clone Molva into a folder that can be written.`,
  ],
  [
    /EACCES|EPERM|permission denied/i,
    (root) => `There is no permission to write ${root}; clone Molva into a folder of your own.`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|network/i,
    () =>
      "The npm registry cannot be reached; check the connection, or the address that “npm config get registry” shows, and try again.",
  ],
];

/** An error for a tool that failed; `otherwise` is said when its output shows no known reason. */
export function toolError(root, output, otherwise) {
  const match = known.find(([pattern]) => pattern.test(output));
  return new SetupError(match ? match[1](root) : otherwise, output);
}

/** The same for an error of the file system; undefined when it is a bug of ours. */
export function setupErrorFrom(root, error) {
  if (error instanceof SetupError) return error;
  const match = known.find(([pattern]) => pattern.test(error?.code ?? ""));
  return match && new SetupError(match[1](root));
}
