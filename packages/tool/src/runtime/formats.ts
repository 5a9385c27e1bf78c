/**
 * The string formats of JSON Schema that are checked; others are notes for the model only.
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 */
type Check = (text: string) => boolean;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(z|([+-])(\d{2})(?::?(\d{2}))?)$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
const EMAIL_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

const FORMATS: Readonly<Record<string, Check>> = {
  date: isDate,
  time: isTime,
  "date-time": (text) => {
    const parts = text.split(/t|\s/i);
    return parts.length === 2 && isDate(parts[0] ?? "") && isTime(parts[1] ?? "");
  },
  duration: (text) => /^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|\d+W)$/.test(text),
  email: isEmail,
  hostname: (text) =>
    text.length <= 253 &&
    text
      .replace(/\.$/, "")
      .split(".")
      .every((label) => label.length <= 63 && EMAIL_LABEL.test(label)),
  ipv4: (text) => IPV4.test(text),
  ipv6: isIpv6,
  uri: (text) =>
    /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i.test(text) &&
    /^[a-z][a-z0-9+.-]*:\S/i.test(text),
  "uri-reference": (text) => /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i.test(text),
  uuid: (text) => /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text),
  "json-pointer": (text) => /^(?:\/(?:[^~/]|~0|~1)*)*$/.test(text),
  regex: (text) => {
    try {
      return new RegExp(text, "u") instanceof RegExp;
    } catch {
      return false;
    }
  },
};

/** True for formats that are not checked. */
export function hasFormat(format: string, text: string): boolean {
  const check = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return check === undefined || check(text);
}

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

/** With a time zone, as RFC 3339 wants it; a leap second only where it is one in UTC. */
function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const sign = match[5] === "-" ? -1 : 1;
  const [zoneHour, zoneMinute] = [Number(match[6] ?? 0), Number(match[7] ?? 0)];
  if (zoneHour > 23 || zoneMinute > 59) return false;
  if (hour <= 23 && minute <= 59 && second < 60) return true;
  const utcMinute = minute - zoneMinute * sign;
  const utcHour = hour - zoneHour * sign - (utcMinute < 0 ? 1 : 0);
  return (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1) && second < 61;
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1) return false;
  const local = text.slice(0, at);
  if (!/^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i.test(local)) return false;
  const labels = text.slice(at + 1).split(".");
  return labels.length > 1 && labels.every((label) => EMAIL_LABEL.test(label));
}

function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  const all = groups.flat();
  const last = all.at(-1);
  let count = all.length;
  if (last?.includes(".")) {
    if (!IPV4.test(last)) return false;
    all.pop();
    count++;
  }
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? count <= 7 : count === 8;
}
