import { h, newId } from './element.js';
import { lineAndColumn } from './places.js';

/** A text field with faults marked at their place, and listed below it. Dispatches `input`. */
export class Editor extends HTMLElement {
  #area = h('textarea', { spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', rows: 8 });
  #ground = h('div', { class: 'ground', 'aria-hidden': 'true' });
  #faults = h('ul', { class: 'faults', id: newId('faults') });

  connectedCallback() {
    if (this.childElementCount) return;
    this.#area.setAttribute('aria-label', this.getAttribute('label'));
    this.#area.setAttribute('aria-describedby', this.#faults.id);
    this.append(h('div', { class: 'sheet' }, this.#ground, this.#area), this.#faults);
    this.#area.addEventListener('scroll', () => { this.#ground.scrollTop = this.#area.scrollTop; });
    this.#area.addEventListener('input', () => this.mark([]));
  }

  get value() { return this.#area.value; }

  set value(text) {
    this.#area.value = text;
    this.mark([]);
  }

  set placeholder(text) { this.#area.placeholder = text; }

  /** Show faults: `{message, start, end}`, or without a place. */
  mark(faults) {
    const text = this.#area.value;
    this.#area.setAttribute('aria-invalid', String(faults.length > 0));
    let at = 0;
    const parts = [];
    for (const { start, end } of faults.filter((each) => each.end > each.start).sort((a, b) => a.start - b.start)) {
      if (start < at) continue;
      parts.push(text.slice(at, start), h('mark', {}, text.slice(start, end)));
      at = end;
    }
    this.#ground.replaceChildren(...parts, text.slice(at), '\n');
    this.#ground.scrollTop = this.#area.scrollTop;
    this.#faults.replaceChildren(...faults.map((fault) => h('li', {}, this.#item(fault, text))));
  }

  #item({ message, start, end }, text) {
    if (start === undefined) return message;
    const { line, column } = lineAndColumn(text, start);
    return h('button', {
      type: 'button', onclick: () => { this.#area.focus(); this.#area.setSelectionRange(start, end); },
    }, h('span', { class: 'place' }, `${line}:${column}`), ` ${message}`);
  }
}

customElements.define('pg-editor', Editor);
