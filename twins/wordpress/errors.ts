import type { User } from "./model.ts";

/** An error of REST. `message` is a key of the table of messages, or a literal text. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly values: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  /** Fields besides `code`, `message` and `data`. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: {
      readonly data?: Readonly<Record<string, unknown>>;
      readonly more?: Readonly<Record<string, unknown>>;
      readonly values?: readonly string[];
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.values = extra.values ?? [];
    this.data = extra.data ?? {};
    this.more = extra.more ?? {};
  }
}

/** A missing right gives 401 without a sign-in and 403 with one. */
export function refused(user: User | undefined, code: string, message: string): RestError {
  return new RestError(user ? 403 : 401, code, message);
}

export function localized(message: string, locale: "en_US" | "ru_RU", values: readonly string[]): string {
  const text = locale === "ru_RU" ? (russian[message] ?? message) : message;
  return values.reduce((filled, value) => filled.replace("%s", value), text);
}

/** WordPress in Russian. Clients must match on codes: messages differ from site to site. */
const russian: Readonly<Record<string, string>> = {
  "You are not currently logged in.": "Вы не авторизованы.",
  "The provided password is an invalid application password.":
    "Указанный пароль не является действительным паролем приложения.",
  "<strong>Error:</strong> Unknown username. Check again or try your email address.":
    "<strong>Ошибка:</strong> Неизвестное имя пользователя. Перепроверьте или попробуйте ваш адрес email.",
  "<strong>Error:</strong> Unknown email address. Check again or try your username.":
    "<strong>Ошибка:</strong> Неизвестный адрес email. Перепроверьте или попробуйте ваше имя пользователя.",
  "Application passwords are not available.": "Пароли приложений недоступны.",
  "Application passwords are not available for your account. Please contact the site administrator for assistance.":
    "Пароли приложений недоступны для вашей учётной записи. Обратитесь к администратору сайта за помощью.",
  "No route was found matching the URL and request method.":
    "Подходящий маршрут для URL и метода запроса не найден.",
  "Sorry, you are not allowed to create posts as this user.":
    "Извините, вам не разрешено создавать записи от лица этого пользователя.",
  "Sorry, you are not allowed to publish posts in this post type.":
    "Извините, вам не разрешено публиковать записи данного типа.",
  "Sorry, you are not allowed to create private posts in this post type.":
    "Извините, вам не разрешено создавать личные записи данного типа.",
  "Sorry, you are not allowed to edit this post.": "Извините, вам не разрешено редактировать эту запись.",
  "Sorry, you are not allowed to edit posts in this post type.":
    "Извините, вам не разрешено редактировать записи данного типа.",
  "Sorry, you are not allowed to delete this post.": "Извините, вам не разрешено удалить эту запись.",
  "Sorry, you are not allowed to do that.": "Извините, вам не разрешено выполнять данное действие.",
  "Sorry, you are not allowed to create terms in this taxonomy.":
    "Извините, вам не разрешено создавать термины в этой таксономии.",
  "Sorry, you are not allowed to upload this file type.":
    "Извините, вам не разрешено загружать этот тип файла.",
  "Invalid post ID.": "Неверный ID записи.",
  "Invalid author ID.": "Неверный ID автора.",
  "Invalid parameter(s): %s": "Неверный параметр: %s",
  "Missing parameter(s): %s": "Отсутствует параметр: %s",
  "Invalid JSON body passed.": "Передано неверное тело JSON.",
  "Content, title, and excerpt are empty.": "Содержимое, заголовок и отрывок пусты.",
  "Cannot create existing post.": "Невозможно создать существующую запись.",
  "The post has already been deleted.": "Запись уже удалена.",
  "Term does not exist.": "Термин не существует.",
  "A term with the name provided already exists with this parent.":
    "Термин с указанным названием уже существует у этого родителя.",
  "A term with the name provided already exists in this taxonomy.":
    "Термин с указанным названием уже существует в этой таксономии.",
  "No data supplied.": "Не предоставлено никаких данных.",
  "No Content-Type supplied.": "Не указан Content-Type.",
  "No Content-Disposition supplied.": "Не указан Content-Disposition.",
  "Content hash did not match expected.": "Хеш содержимого не совпал с ожидаемым.",
  "The page number requested is larger than the number of pages available.":
    "Запрошенный номер страницы больше количества доступных страниц.",
  "Parent term does not exist.": "Родительский термин не существует.",
  "There has been a critical error on this website.": "На сайте возникла критическая ошибка.",
};
