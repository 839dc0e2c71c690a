/** Return the part of a text that a place of the server's means: a JSON pointer, or `line 2, column 5`, or `column 5`.
 *  @returns {{start: number, end: number}} */
export function rangeOf(text, where) {
  if (where === '' || where.startsWith('/')) return rangeOfPointer(text, where);
  const line = /line (\d+)/.exec(where);
  const column = /column (\d+)/.exec(where);
  if (!line && !column) return { start: 0, end: 0 };
  const lines = text.split('\n');
  const index = Math.min((line ? Number(line[1]) : 1) - 1, lines.length - 1);
  const before = lines.slice(0, index).reduce((sum, each) => sum + each.length + 1, 0);
  const start = before + Math.min((column ? Number(column[1]) : 1) - 1, Math.max(lines[index].length - 1, 0));
  const word = /^[\w-]+/.exec(text.slice(start));
  return { start, end: Math.min(start + (word ? word[0].length : 1), text.length) };
}

/** Return the line and column of an offset, both from 1. */
export function lineAndColumn(text, offset) {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1).length + 1 };
}

/** Return where JSON.parse stopped, and why. */
export function jsonError(text, error) {
  const found = /position (\d+)/.exec(error.message);
  const start = Math.min(found ? Number(found[1]) : text.length, Math.max(text.length - 1, 0));
  const message = error.message.replace(/ in JSON at position.*| \(line.*/s, '').replace(/, ".*/s, '');
  return { message: `not valid JSON: ${message.charAt(0).toLowerCase()}${message.slice(1)}`, start, end: start + 1 };
}

/** Return the text range of the value at a JSON pointer, of the deepest ancestor that there is; a member's begins at its name. */
function rangeOfPointer(text, pointer) {
  const path = pointer.split('/').slice(1).map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'));
  let best = { start: 0, end: 0 };
  let at = 0;
  const space = () => { while (/\s/.test(text[at] ?? '')) at++; };
  const string = () => {
    const start = at++;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return JSON.parse(text.slice(start, ++at));
  };
  // `depth` is the number of steps of the path that lead here, or -1 beside the path.
  const value = (depth, start) => {
    space();
    const isObject = text[at] === '{';
    if (isObject || text[at] === '[') {
      at++;
      for (let index = 0; ; index++) {
        space();
        if (text[at] === ',') { at++; space(); }
        if (text[at] === ']' || text[at] === '}' || at >= text.length) { at++; break; }
        const begin = at;
        let name = String(index);
        if (isObject) { name = string(); space(); at++; }
        value(depth >= 0 && path[depth] === name ? depth + 1 : -1, begin);
      }
    } else if (text[at] === '"') string();
    else while (at < text.length && !/[\s,\]}]/.test(text[at])) at++;
    if (depth >= 0 && depth >= (best.depth ?? -1)) best = { start, end: at, depth };
  };
  try { value(0, 0); } catch { /* not JSON: the range found so far */ }
  return best.depth === 0 ? { start: 0, end: Math.min(1, text.length) } : best;
}
