/** JSON's forms -> the classes that a function takes. What the format allows and the class does not is told here. */
import { ToolError } from "../error.js";
import { show } from "./problem-walk.js";

/** RFC 3339 has leap seconds and, in some readings, zones without minutes; `Date` has neither. */
export function asDate(text: string): Date {
  const date = new Date(
    text
      .replace(/:60(?=[.zZ+-]|$)/, ":59")
      .replace(/([+-]\d{2})$/, "$1:00")
      .replace(/([+-]\d{2})(\d{2})$/, "$1:$2"),
  );
  if (Number.isNaN(date.getTime())) throw unreadable(text, "a date and time that exist");
  return date;
}

export function asUrl(text: string): URL {
  try {
    return new URL(text);
  } catch (cause) {
    throw unreadable(text, "a whole URL", cause);
  }
}

function unreadable(text: string, expected: string, cause?: unknown): ToolError {
  const received = show(text);
  return ToolError.invalidArgument(
    `Invalid arguments: ${received} is not ${expected}. Correct it and call the tool again.`,
    [{ path: "$input", kind: "type", expected, received }],
    cause,
  );
}
