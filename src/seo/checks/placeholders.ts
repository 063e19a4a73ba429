/** What a model or an author leaves behind when something was to be filled in. */
const placeholders: readonly { readonly shown: string; readonly pattern: RegExp }[] = [
  { shown: "[INSERT", pattern: /\[INSERT/i },
  { shown: "[YOUR", pattern: /\[YOUR/i },
  { shown: "Lorem ipsum", pattern: /lorem ipsum/i },
  // In capitals and apart: «метод» and «todo-лист» are words.
  { shown: "TODO", pattern: /(?<![\p{L}\p{N}_])TODO(?![\p{L}\p{N}_-])/u },
  { shown: "<placeholder>", pattern: /<placeholder>|&lt;placeholder&gt;/i },
  { shown: "{заполнить}", pattern: /\{заполнить\}/i },
  { shown: "ПРИМЕР ТЕКСТА", pattern: /ПРИМЕР ТЕКСТА/ },
];

/** Placeholders in a text, as they are named to people, each once. */
export function placeholdersIn(text: string): string[] {
  return placeholders.filter(({ pattern }) => pattern.test(text)).map(({ shown }) => shown);
}
