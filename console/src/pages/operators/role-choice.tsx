import { usePageTexts } from "../../texts/index.ts";
import { type Role, roles } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import "./role-choice.css";

/** What somebody may do here, in plain words. */
export function RoleChoice({ chosen }: { chosen: Role }) {
  const texts = usePageTexts({ ru, en });
  return (
    <fieldset className="choices">
      <legend>{texts.role}</legend>
      {roles.map((each) => (
        <label key={each} className="role-choice">
          <input type="radio" name="role" value={each} defaultChecked={each === chosen} />
          <span>{texts.roles[each].name}</span>
          <small>{texts.roles[each].may}</small>
        </label>
      ))}
    </fieldset>
  );
}

export function roleIn(form: FormData): Role {
  return roles.find((role) => role === form.get("role")) ?? "viewer";
}
