import './tokens.js';
import { copy, h, number, percent } from './element.js';

const ACTIONS = { redact: 'redacted', block: 'blocked', annotate: 'noted', retry: 'tried again', forbid: 'kept out' };
const PLACES = { input: 'the prompt', content: 'the answer', reasoning: 'the reasoning', arguments: 'the arguments of a call' };
const FINISHES = { length: 'Ended by the number of tokens.', repetition: 'Ended because it repeated itself.', content_filter: 'Ended by the policy.' };

/** One answer while it comes, and when it is complete. Dispatches `branch`, `retry`, `version` and `results`. */
export class AnswerView extends HTMLElement {
  #text = h('div', { class: 'text' });
  #line = null;
  #reasoning = h('p');
  #thoughts = h('details', { class: 'thoughts', hidden: true }, h('summary', {}, 'Reasoning'), this.#reasoning);
  #tokens = h('pg-tokens', { hidden: true });
  #rest = h('div', { class: 'rest' });
  #wait = { text: '', tokens: [] };
  #frame = 0;

  /** Begin with an answer.
   *  @param turn The turn that it is in: its `answers` and `current`. */
  bind(answer, turn, showTokens) {
    Object.assign(this, { answer, turn });
    this.showTokens = showTokens;
    this.append(h('h2', { class: 'unseen' }, 'Answer'), this.#thoughts, this.#text, this.#tokens, this.#rest);
    this.#tokens.prefix = answer.prefix;
    this.#append(answer.content);
    this.#tokens.add(answer.tokens);
    this.#toggleTokens(showTokens && answer.tokens.length > 0);
    if (answer.reasoning) this.think(answer.reasoning);
    return this;
  }

  /** Append what has come; it is drawn with the next frame. */
  push(text, tokens) {
    this.#wait.text += text;
    this.#wait.tokens.push(...tokens);
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  think(text) {
    this.#thoughts.hidden = false;
    this.#reasoning.append(text);
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const { text, tokens } = this.#wait;
    this.#wait = { text: '', tokens: [] };
    this.#append(text);
    if (tokens.length) {
      this.#tokens.add(tokens);
      if (this.#tokens.hidden && this.showTokens) this.#toggleTokens(true);
    }
    this.dispatchEvent(new Event('drawn', { bubbles: true }));
  }

  /** Append to the last line's own text node: earlier lines are not laid out again. */
  #append(text) {
    const [first, ...others] = text.split('\n');
    if (first || !this.#line) this.#extend(first);
    for (const line of others) {
      this.#line = null;
      this.#extend(line);
    }
  }

  #extend(text) {
    if (!this.#line) {
      this.#line = document.createTextNode('');
      this.#text.append(h('div', { class: 'line' }, this.#line));
    }
    this.#line.appendData(text);
  }

  #toggleTokens(isShown) {
    this.#tokens.hidden = !isShown;
    this.#text.hidden = isShown;
  }

  /** Show all that is known once the answer is over. */
  finish() {
    this.#draw();
    const { answer } = this;
    this.#rest.replaceChildren(...[
      ...answer.calls.map((call) => this.#call(call)),
      this.#results(),
      this.#failure(),
      answer.isStopped && h('p', { class: 'notice' }, 'Stopped.'),
      FINISHES[answer.finish] && h('p', { class: `notice ${answer.finish === 'content_filter' ? 'bad' : ''}` }, FINISHES[answer.finish]),
      ...answer.guards.map((each) => h('p', { class: `notice ${each.action === 'block' ? 'bad' : ''}` }, `Policy: ${each.kind} (${each.guard}) ${ACTIONS[each.action] ?? each.action} in ${PLACES[each.where] ?? each.where}, ${number(each.count)} ×`)),
      this.#confidence(),
      this.#foot(),
    ].filter(Boolean));
  }

  #call({ function: { name, arguments: given } }) {
    let shown = given;
    try { shown = JSON.stringify(JSON.parse(given), null, 2); } catch { /* cut short: shown as it came */ }
    return h('figure', { class: 'call' }, h('figcaption', {}, 'Tool call ', h('code', {}, name)), h('pre', {}, h('code', {}, shown)));
  }

  #results() {
    const { calls } = this.answer;
    if (!calls.length || this.isAnswered) return null;
    const fields = calls.map((call) => h('textarea', { rows: 2, required: true, 'aria-label': `Result of ${call.function.name}`, placeholder: '{"degrees": 21}' }));
    return h('form', { class: 'results', onsubmit: (event) => {
      event.preventDefault();
      const detail = calls.map((call, index) => ({ id: call.id, content: fields[index].value }));
      this.dispatchEvent(new CustomEvent('results', { bubbles: true, detail }));
    } }, fields.map((field, index) => h('label', {}, `Result of ${calls[index].function.name}`, field)),
    h('button', { class: 'primary' }, calls.length === 1 ? 'Send the result' : 'Send the results'));
  }

  #failure() {
    const { error } = this.answer;
    if (!error) return null;
    return h('div', { class: 'failure', role: 'alert' },
      h('p', {}, h('strong', {}, error.code === 'content_filter' ? 'The policy blocked this. ' : ''), sentence(error.message)),
      error.hint && h('p', { class: 'hint' }, sentence(error.hint)),
      h('button', { type: 'button', onclick: () => this.dispatchEvent(new Event('retry', { bubbles: true })) }, 'Try again'));
  }

  #confidence() {
    const { confidence } = this.answer;
    if (!confidence.length) return null;
    const rows = confidence.map((each) => {
      const share = Math.exp(each.logprob);
      const meter = h('span', { class: 'meter', 'aria-hidden': 'true' }, h('span'));
      meter.firstChild.style.width = `${100 * share}%`;
      const other = each.alternative && `or ${each.alternative.values.map((value) => JSON.stringify(value)).join(' / ')}, ${percent(each.alternative.probability)}`;
      return h('tr', {}, h('th', { scope: 'row' }, h('code', {}, each.path || '/')), h('td', {}, meter), h('td', {}, percent(share)), h('td', {}, other ?? ''));
    });
    return h('details', { class: 'confidence', open: rows.length < 9 }, h('summary', {}, 'Confidence in each field'), h('table', {}, h('tbody', {}, rows)));
  }

  #foot() {
    const { answer, turn } = this;
    const facts = [];
    for (const check of answer.verdict?.checks ?? []) {
      const isGood = check.result === 'passed';
      facts.push(h('span', { class: isGood ? 'badge good' : 'badge' }, `${isGood ? '✓ ' : ''}${check.what} ${check.result}`, h('small', {}, ` by ${check.by}`)));
    }
    if (answer.usage) {
      const { completion_tokens: count, prompt_tokens: before } = answer.usage;
      facts.push(h('span', {}, `${number(before)} + ${number(count)} tokens`));
      if (answer.firstMs !== null) facts.push(h('span', {}, `first ${number(answer.firstMs)} ms`));
      if (answer.totalMs - answer.firstMs > answer.totalMs / 5) facts.push(h('span', {}, `${number((1000 * (count - 1)) / (answer.totalMs - answer.firstMs))} tokens/s`));
    }
    const copyButton = h('button', { type: 'button', class: 'quiet', onclick: () => copy(answer.content, copyButton) }, 'Copy');
    const tokensButton = answer.tokens.length > 0 && h('button', { type: 'button', class: 'quiet', 'aria-pressed': String(!this.#tokens.hidden), onclick: () => {
      this.#toggleTokens(this.#tokens.hidden);
      tokensButton.setAttribute('aria-pressed', String(!this.#tokens.hidden));
    } }, 'Tokens');
    const count = turn.answers.length;
    const move = (step) => () => this.dispatchEvent(new CustomEvent('version', { bubbles: true, detail: turn.current + step }));
    const versions = count > 1 && h('span', { class: 'versions' },
      h('button', { type: 'button', class: 'quiet', 'aria-label': 'Earlier answer', disabled: turn.current === 0, onclick: move(-1) }, '‹'),
      `${turn.current + 1} of ${count}`,
      h('button', { type: 'button', class: 'quiet', 'aria-label': 'Later answer', disabled: turn.current === count - 1, onclick: move(1) }, '›'));
    return h('div', { class: 'foot' }, facts, h('span', { class: 'actions' }, versions, tokensButton, copyButton,
      h('button', { type: 'button', class: 'quiet', onclick: () => this.dispatchEvent(new Event('retry', { bubbles: true })) }, 'Again')));
  }
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

customElements.define('pg-answer', AnswerView);
