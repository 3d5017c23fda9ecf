// Elements from data. Texts are never parsed as HTML, so that no name can become markup.

export const byId = (id) => document.getElementById(id);

/**
 * @param {string} tag "td", "button.link"
 * @param {Record<string, unknown>} [attributes] `on...` are listeners; null and false are left out
 * @param {...(Node | string | number | null)} children
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(
    ...children.filter((child) => child !== null).map((child) => (child instanceof Node ? child : String(child))),
  );
  return element;
}

/** Changes a text only where it differs: screen readers then announce real changes alone. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
