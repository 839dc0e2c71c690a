/** Create an element: attributes, listeners as `onclick`, properties as `.value`, then children. */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name.startsWith('.')) node[name.slice(1)] = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Create an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

let count = 0;

/** Return an id that no other element has. */
export const newId = (name) => `${name}-${++count}`;

/** Have a screen reader say a text. */
export function announce(text) {
  document.getElementById('announcement').textContent = text;
}

/** Copy a text, and say so on the button. */
export async function copy(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Copying is not allowed here';
  }
  setTimeout(() => { button.textContent = label; }, 1500);
}

/** Return a number with at most `digits` decimals, in the reader's notation. */
export const number = (value, digits = 0) => value.toLocaleString('en', { maximumFractionDigits: digits });

/** Return a probability in percent. */
export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 0.01) return '< 0.01 %';
  return `${number(value, value < 1 ? 2 : value < 99.95 && value > 0 ? 1 : 0)} %`;
}
