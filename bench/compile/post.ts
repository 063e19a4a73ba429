/** A post with formatting in every line, as HTML or as Markdown, of at most so many units with its markup. */
export function sourceOf(format: "html" | "markdown", longest: number): string {
  const { head, line, foot } = pieces[format];
  let body = "";
  for (let index = 1; ; index++) {
    const next = `${body}${line(index)}\n\n`;
    if (head.length + next.length + foot.length > longest) return head + body + foot;
    body = next;
  }
}

const pieces = {
  html: {
    head: "<h1>Итоги недели</h1>\n",
    line: (index: number) =>
      `<b>Новость ${index}</b>: цена <s>900</s> <u>450 ₽</u>, <i>только сегодня</i> и <code>A-${index}</code> — <a href="https://example.ru/${index}">читать</a> 🔥`,
    foot: "<blockquote expandable>Все цены до конца месяца.</blockquote>",
  },
  markdown: {
    head: "# Итоги недели\n\n",
    line: (index: number) =>
      `**Новость ${index}**: цена ~~900~~ 450 ₽, _только сегодня_ и \`A-${index}\` — [читать](https://example.ru/${index}) 🔥`,
    foot: "> Все цены до конца месяца.",
  },
} as const;
