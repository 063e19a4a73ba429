/** The model's phrases, in the language of the question. */
const russian = {
  opening: (about: string) => `По вопросу «${about}» скажу так.`,
  nothingSaid: "Отвечу по тому, что прислано.",
  noWords: "Вопрос без слов",
  urgent: [
    "Это похоже на состояние, при котором нужна помощь врача прямо сейчас. Обеспечьте покой и выезжайте в ближайшую клинику.",
    "Такие признаки нельзя наблюдать дома. Свяжитесь с дежурной клиникой и будьте готовы ехать сразу.",
  ],
  hurry: "Не откладывайте: счёт может идти на часы.",
  calm: [
    "Скорее всего, причина в режиме и нагрузке: начните с простого и понаблюдайте два дня.",
    "Обычно помогает вернуть привычный порядок: вода, покой, знакомая еда небольшими частями.",
    "Сначала исключите очевидное: новый корм, жару, сквозняк и недавние перемены в доме.",
    "Действуйте по шагам и записывайте, что изменилось: так легче увидеть причину.",
  ],
  steps: [
    "Дайте свежую воду и покой.",
    "Запишите, когда это началось и что менялось в эти дни.",
    "Уберите новый корм и угощения.",
    "Понаблюдайте два дня и сравните.",
  ],
  later: [
    "Если за сутки лучше не станет, покажитесь специалисту.",
    "Следите за самочувствием; при ухудшении не ждите и обращайтесь за помощью.",
    "Через день сравните с тем, что было, и решите, нужен ли осмотр.",
  ],
  questions: ["Как давно это началось?", "Что менялось в последние дни?", "Есть ли другие признаки?"],
};

const english: typeof russian = {
  opening: (about) => `About “${about}”, here is what I can say.`,
  nothingSaid: "I will go by what you sent.",
  noWords: "A question without words",
  urgent: [
    "This looks like something that needs a vet right now. Keep your pet calm and set off for the nearest clinic.",
    "Signs like these should not be watched at home. Call the clinic on duty and be ready to go at once.",
  ],
  hurry: "Do not put it off: it may be a matter of hours.",
  calm: [
    "Most likely it is routine or exertion: start with the simple things and watch for two days.",
    "It usually helps to go back to the usual routine: water, rest, familiar food in small portions.",
    "First rule out the obvious: new food, heat, draughts and recent changes at home.",
    "Take it step by step and note what changes: that makes the cause easier to see.",
  ],
  steps: [
    "Give fresh water and let your pet rest.",
    "Note when it started and what has changed since.",
    "Leave out new food and treats.",
    "Watch for two days and compare.",
  ],
  later: [
    "If it is no better within a day, see a specialist.",
    "Keep an eye on how your pet feels; if it gets worse, do not wait and get help.",
    "Compare after a day and decide whether an examination is needed.",
  ],
  questions: [
    "How long has this been going on?",
    "What has changed in the last few days?",
    "Are there other signs?",
  ],
};

/** English if the question has only Latin letters. */
export function phrasesFor({ text }: { readonly text: string }): typeof russian {
  return /[a-z]/i.test(text) && !/[а-яё]/i.test(text) ? english : russian;
}
