/** Words that tell how formal a text is, in small letters without ё. They are about manner: a subject does not need them. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Said in talk: particles, and asides to the reader. */
export const colloquial = words(`
  ну вот ведь же аж уж мол ага угу ого эх ой увы кстати короче типа прикинь правда честно зато пока
  просто прямо вообще конечно наверное пожалуй похоже чуть чуток немножко потихоньку сразу
  штука штуки штуку ерунда мелочь лишь хватит ладно давайте смотрите представьте поверьте
  спасибо пожалуйста привет круто классно здорово
`);

/** Written in offices: verbs without action, connectives, prepositions made of nouns. */
export const bookish = words(`
  является являются являлся осуществляет осуществляется осуществление производится обеспечивает обеспечивается
  данный данная данное данные вышеуказанный нижеследующий соответствующий надлежащий
  посредством вследствие ввиду согласно касательно относительно путем
  следовательно однако тем более кроме вместе целесообразно необходимо надлежит следует
  функционирование реализация внедрение использование применение наличие отсутствие
`);
