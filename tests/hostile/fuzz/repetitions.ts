/**
 * Inputs that cost a careless parser more than linear time: a repeated piece, and something at the end that does not
 * match.
 */
const pieces = [
  ...[" ", "\t", "\n", " \n", "\n ", "\u200d", "\u200b", "👍"],
  ...["> ", ">>>> x\n", "- ", "- - - - x\n", "- * ", "1. ", "-", "=", "# ", "#", "| a ", "|-"],
  ...["*", "**a ", "_", "_a", "~", "~~a", "^^", "++a", "||", "`", "``a", "```\n", "\\", "\\["],
  ...["[", "[a", "](", "[a](", "![](", "[^1]", "[a]: ", "(", ")", "(((", "{{", "{% ", "}}"],
  ...["<", "<b", "<b>", "<b></b>", "<b a=", "<a href=x>", '<a href="', "<a '", "<!--", "<!", "<?", "</"],
  ...["<script>", "<script ", "<style></style>", "<br>", "<p>", "<table><tr>", "&", "&amp", "&#x"],
  ...["a", "a.", "a@", "a.a@", "/", "http://a.", "!", ".", ",", "…", '"', "»", ":", "$", "%"],
  ...["<b>a</b><code>b</code>", "<a href=http://a.ru>a</a> ", "<h1>a</h1><b>b</b>", "<pre>a</pre>\n\n"],
  ...["вздут", "кров", "съел ", "фото ", "системн", "0", "1-", "json```"],
];

const most = 99_000;

export const repetitions = pieces.map((piece) => ({
  piece,
  /** As much of it as a text may hold, or a part of that. */
  text: (share = 1) => `${piece.repeat(Math.floor((most * share) / piece.length))}x`,
}));
