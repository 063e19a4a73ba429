import type { Subject } from "./subject.ts";

export const petTexts: Subject["texts"] = {
  ru: {
    photoAlone: "Посмотрите, пожалуйста, что на фото.",
    audioAlone: "Вопрос задан голосом, он в записи.",
    otherwise: "Если этих признаков сейчас нет, вот ответ на сам вопрос.",
    upsell: {
      title: "Тариф Pro",
      text: "В Pro нет дневного лимита, можно присылать фото и голосовые, а советник помнит Вашего питомца и прошлые обращения.",
      cta: "Открыть Pro",
    },
    photosArePro: "Разбор фотографий доступен в тарифе Pro.",
  },
  en: {
    photoAlone: "Please look at what is in the photo.",
    audioAlone: "The question is in the voice recording.",
    otherwise: "If there are no such signs right now, here is the answer to your question.",
    upsell: {
      title: "The Pro plan",
      text: "Pro has no daily limit, accepts photos and voice messages, and remembers your pet and your earlier questions.",
      cta: "Get Pro",
    },
    photosArePro: "Photos are analysed on the Pro plan.",
  },
};
