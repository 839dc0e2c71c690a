import { ApiError, json } from './api.js';
import { h, number } from './element.js';
import { jsonError, rangeOf } from './places.js';
import { CONSTRAINTS } from './session.js';

const PAUSE_MS = 350;
const PLACEHOLDERS = {
  schema: '{\n  "type": "object",\n  "properties": {"city": {"type": "string"}},\n  "required": ["city"]\n}',
  regex: '[A-Z]{2}-[0-9]{4}',
  choice: 'positive\nneutral\nnegative',
  lark: 'start: "yes" | "no"',
  gbnf: 'root ::= "yes" | "no"',
};
const HOW = { mask: 'mask', partly: 'mask, some valid texts are never written', check: 'check at the end of the value', annotation: 'not enforced' };

/** Choice and text of the constraint, checked by the server while it is typed. */
export class ConstraintEditor extends HTMLElement {
  #kind = h('select', { 'aria-label': 'Kind of constraint' }, Object.entries(CONSTRAINTS).map(([value, text]) => h('option', { value }, text)));
  #editor = h('pg-editor', { label: 'Constraint' });
  #report = h('div', { class: 'report', role: 'status' });
  #timer = 0;
  #asked = null;
  #texts = {};

  /** Begin with a session, whose `constraint` this changes. */
  bind(session) {
    this.append(this.#kind, this.#editor, this.#report);
    const show = () => {
      const { kind, text } = session.constraint;
      this.#kind.value = kind;
      this.#editor.value = text;
      this.#editor.placeholder = PLACEHOLDERS[kind] ?? '';
      this.#editor.hidden = kind === 'none';
      this.#checkSoon(session, 0);
    };
    this.#kind.addEventListener('change', () => {
      this.#texts[session.constraint.kind] = session.constraint.text;
      session.constraint = { kind: this.#kind.value, text: this.#texts[this.#kind.value] ?? '' };
      show();
      session.change();
    });
    this.#editor.addEventListener('input', () => {
      session.constraint = { ...session.constraint, text: this.#editor.value };
      this.#checkSoon(session, PAUSE_MS);
      session.change();
    });
    session.addEventListener('load', show);
    show();
  }

  #checkSoon(session, pause) {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#report.replaceChildren();
    this.#timer = setTimeout(() => this.#check(session), pause);
  }

  async #check(session) {
    const { text } = session.constraint;
    let body;
    try {
      body = session.grammarBody();
    } catch (error) {
      this.#editor.mark([jsonError(text, error)]);
      return;
    }
    if (body === null) return;
    this.#asked = new AbortController();
    const options = { body, signal: this.#asked.signal };
    try {
      const { valid, errors, warnings } = await json('v1/grammars/lint', options);
      const faults = errors.map(({ message, where }) => where === null ? { message } : { message: plain(message), ...rangeOf(text, where) });
      const doubts = warnings.filter((each) => each.code === 'misspelled_keyword' || each.code === 'never_written');
      faults.push(...doubts.map(({ message, pointer, code, keyword }) => ({
        message, ...rangeOf(text, code === 'misspelled_keyword' ? `${pointer}/${keyword}` : pointer),
      })));
      this.#editor.mark(faults);
      if (valid) this.#show(await json('v1/grammars/explain', options));
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (!(error instanceof ApiError)) throw error;
      this.#editor.mark([error.where ? { message: plain(error.message), ...rangeOf(text, error.where) } : { message: error.message }]);
    }
  }

  #show(found) {
    const entries = [...found.by_mask, ...found.by_check];
    const counts = found.by_check.length ? `${found.by_mask.length} keywords by mask, ${found.by_check.length} by check` : `${found.by_mask.length} keywords, all by mask`;
    const rows = entries.map(({ pointer, keyword, how }) => h('tr', {}, h('td', {}, h('code', {}, `${pointer}/${keyword}`)), h('td', {}, HOW[how] ?? how)));
    this.#report.replaceChildren(...[
      h('p', { class: 'good' }, `✓ Enforced${found.kind === 'json_schema' ? `: ${counts}` : ''}`),
      found.example !== null && h('figure', {}, h('figcaption', {}, `Shortest example, ${number(found.example_tokens)} tokens`), h('pre', {}, h('code', {}, found.example))),
      rows.length > 0 && h('details', {}, h('summary', {}, 'How each keyword is enforced'), h('table', {}, h('tbody', {}, rows))),
    ].filter(Boolean));
  }
}

/** Return a message without its field and place, which the editor shows. */
const plain = (message) => message.replace(/^\w+: /, '').replace(/ \(at [^()]*\)$/, '');

customElements.define('pg-constraint', ConstraintEditor);
