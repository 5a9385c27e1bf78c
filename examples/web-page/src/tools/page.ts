/** Tools that work on the page itself. */

/**
 * Changes the colour of the page.
 * @tool
 * @effect mutating
 * @param colour The new accent colour
 */
export function setColour(colour: "indigo" | "teal" | "plum" | "amber"): string {
  document.documentElement.dataset.colour = colour;
  return `The page is ${colour} now.`;
}

/**
 * Shows a list on the page, in the place of the one that is there.
 * @tool
 * @effect mutating
 * @param title What the list is of
 * @param items The points, a few words each
 */
export function showList(title: string, items: string[]): string {
  const list = document.querySelector<HTMLElement>("#list");
  if (list === null) throw new Error("The page has no place for a list.");
  list.querySelector("h2")?.replaceChildren(title);
  list.querySelector("ul")?.replaceChildren(
    ...items.map((item) => {
      const point = document.createElement("li");
      point.textContent = item;
      return point;
    }),
  );
  list.hidden = false;
  return `The list has ${items.length} points.`;
}
