import { h, number, percent } from './element.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const STEPS = [0.95, 0.75, 0.5, 0.25];
/** Lower bounds of probability: a token gets the class `p0` to `p4`. */
const SLOW = [1.5, 3, 6, 12];
/** Times of the median token, from which a token gets the class `p1` to `p4`. */

/** Return a token's text with its blanks visible. */
export function visible(token) {
  if (token.text === '') return '∅';
  return token.text.replace(/ /g, '␣').replaceAll('\n', '↵').replaceAll('\t', '⇥');
}

/** Return a token of the API in the terms of the page. `text` is what its bytes say, where they are whole characters. */
export function tokenOf(entry) {
  const bytes = Uint8Array.from(entry.bytes ?? []);
  let text = entry.token;
  try { text = UTF8.decode(bytes); } catch { text = [...bytes].map((each) => `⟨${each.toString(16).padStart(2, '0')}⟩`).join(''); }
  return {
    text, bytes, probability: Math.exp(entry.logprob), isForced: entry.forced ?? false, isDrafted: entry.drafted ?? false,
    timeMs: entry.time_ms ?? null, removedMass: entry.removed_mass ?? null,
    top: (entry.top_logprobs ?? []).map((each) => ({ ...tokenOf(each), isRemoved: each.removed ?? false })),
  };
}

/** Tokens of an answer on a ground that shows their probability or time. Arrows move between tokens; Enter lists the
 *  alternatives of one; choosing an alternative dispatches `branch` with the text up to it. */
export class TokenView extends HTMLElement {
  #tokens = [];
  #flow = h('div', { class: 'flow', role: 'group', 'aria-label': 'Tokens of the answer' });
  #prefix = '';

  connectedCallback() {
    if (this.childElementCount) return;
    const shown = h('select', { 'aria-label': 'Colour by', onchange: () => { this.dataset.by = shown.value; this.#colour(); } },
      h('option', { value: 'probability' }, 'probability'), h('option', { value: 'time' }, 'time'));
    const legend = (name, text) => h('span', { class: `token legend ${name}` }, text);
    this.dataset.by = 'probability';
    this.append(this.#flow, h('div', { class: 'legends' }, h('label', {}, 'colour by ', shown),
      h('span', { class: 'key-probability' }, STEPS.map((step, index) => legend(`p${index + 1}`, `< ${step * 100} %`))),
      h('span', { class: 'key-time' }, SLOW.map((step, index) => legend(`p${index + 1}`, `> ${step} × median`))),
      legend('forced', 'forced'), legend('drafted', 'drafted')));
    this.#flow.addEventListener('click', (event) => this.#open(event.target.closest('.token')));
    this.#flow.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Begin with a text that was given and not generated. */
  set prefix(text) {
    this.#prefix = text;
    if (text) this.#flow.prepend(h('span', { class: 'given', title: 'given, not generated' }, text));
  }

  /** Append tokens. */
  add(tokens) {
    const fragment = document.createDocumentFragment();
    for (const token of tokens) {
      const index = this.#tokens.push(token) - 1;
      const label = `${visible(token)}, ${percent(token.probability)}${token.isForced ? ', forced' : ''}${token.isDrafted ? ', drafted' : ''}`;
      const node = h('span', { class: 'token', role: 'button', tabindex: index ? -1 : 0, 'aria-label': label, 'data-index': index }, token.text);
      if (token.isForced) node.classList.add('forced');
      if (token.isDrafted) node.classList.add('drafted');
      this.#paint(node, token, 0);
      fragment.append(node);
    }
    this.#flow.append(fragment);
  }

  #paint(node, token, median) {
    node.classList.remove('p1', 'p2', 'p3', 'p4');
    const isTime = this.dataset.by === 'time';
    const level = isTime
      ? SLOW.filter((times) => median && token.timeMs > times * median).length
      : STEPS.filter((bound) => token.probability < bound).length;
    if (level) node.classList.add(`p${level}`);
    node.dataset.value = isTime ? `${number(token.timeMs ?? 0, 1)} ms` : percent(token.probability);
  }

  #colour() {
    const times = this.#tokens.map((token) => token.timeMs).filter((time) => time > 0).sort((a, b) => a - b);
    const median = times[times.length >> 1] ?? 0;
    for (const node of this.#flow.querySelectorAll('.token')) this.#paint(node, this.#tokens[node.dataset.index], median);
  }

  #key(event) {
    const node = event.target.closest('.token');
    if (!node) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#open(node);
      return;
    }
    const nodes = this.#flow.querySelectorAll('.token');
    const index = Number(node.dataset.index);
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: nodes.length - 1 }[event.key];
    if (to === undefined || !nodes[to]) return;
    event.preventDefault();
    node.tabIndex = -1;
    nodes[to].tabIndex = 0;
    nodes[to].focus();
  }

  /** Return the text that ends with `bytes` after the tokens before `index`; null where it ends inside a character. */
  #textUpTo(index, bytes) {
    const parts = [...this.#tokens.slice(0, index).map((token) => token.bytes), bytes];
    const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((at, part) => { joined.set(part, at); return at + part.length; }, 0);
    try { return this.#prefix + UTF8.decode(joined); } catch { return null; }
  }

  #open(node) {
    if (!node) return;
    const index = Number(node.dataset.index);
    const token = this.#tokens[index];
    const box = h('div', { popover: 'auto', class: 'box alternatives', role: 'dialog', 'aria-label': `Alternatives to ${visible(token)}` });
    const choose = (text) => { box.hidePopover(); this.dispatchEvent(new CustomEvent('branch', { bubbles: true, detail: { text } })); };
    const largest = Math.max(...token.top.map((each) => each.probability), 1e-9);
    const rows = token.top.map((each) => {
      const text = each.isRemoved ? null : this.#textUpTo(index, each.bytes);
      const isChosen = each.text === token.text;
      const name = each.isRemoved ? h('s', {}, visible(each)) : visible(each);
      const note = each.isRemoved ? 'removed by the constraint' : isChosen ? 'chosen' : text === null ? 'part of a character' : '';
      const meter = h('span', { class: 'meter', 'aria-hidden': 'true' }, h('span'));
      meter.firstChild.style.width = `${(100 * each.probability) / largest}%`;
      return h('li', {}, h('button', { type: 'button', disabled: text === null, class: isChosen ? 'chosen' : '', onclick: () => choose(text) },
        h('code', {}, name), meter, h('span', { class: 'share' }, percent(each.probability)), note && h('small', {}, note)));
    });
    const facts = [
      `${percent(token.probability)} of the model's probability`,
      token.timeMs !== null && `${number(token.timeMs, 1)} ms`,
      token.isForced && 'the only token allowed',
      token.isDrafted && 'accepted from a draft',
    ].filter(Boolean).join(' · ');
    box.append(...[h('h2', {}, h('code', {}, visible(token))), h('p', { class: 'hint' }, facts),
      token.removedMass !== null && token.removedMass > 0 && h('p', { class: 'removed-mass' },
        h('strong', {}, percent(token.removedMass)), ' of the probability was removed by the constraint'),
      rows.length ? h('ol', {}, rows) : h('p', {}, 'No alternatives were reported.'),
      h('p', { class: 'hint' }, 'Choose one to continue the answer from there.')].filter(Boolean));
    box.addEventListener('toggle', (event) => {
      if (event.newState === 'open') return;
      box.remove();
      node.focus();
    });
    document.body.append(box);
    box.showPopover();
    const place = node.getBoundingClientRect();
    box.style.left = `${Math.max(8, Math.min(place.left, innerWidth - box.offsetWidth - 8))}px`;
    const below = place.bottom + 6;
    box.style.top = `${below + box.offsetHeight < innerHeight ? below : Math.max(8, place.top - box.offsetHeight - 6)}px`;
    (box.querySelector('button:not(:disabled)') ?? box).focus();
  }
}

customElements.define('pg-tokens', TokenView);
