import { text } from './api.js';
import { h, number, svg } from './element.js';
import { CURVES, TOTALS, parseMetrics } from './metrics.js';

const PERIOD_MS = 1000;
const KEPT = 120;
const WIDTH = 240;
const HEIGHT = 56;

/** The state of a running server: `/metrics`, read every second while this is shown. */
export class ServerView extends HTMLElement {
  #timer = 0;
  #before = null;
  #problem = h('p', { class: 'problem', role: 'status' });
  #plots = CURVES.map((curve) => new Plot(curve));
  #totals = TOTALS.map(([title]) => ({ title, value: h('dd', {}, '–') }));

  connectedCallback() {
    if (this.childElementCount) return;
    this.append(h('h2', {}, 'Server'), h('p', { class: 'hint' }, 'Read every second from ', h('code', {}, '/metrics'), '; curves show two minutes.'), this.#problem,
      h('div', { class: 'plots' }, this.#plots.map((plot) => plot.node)),
      h('h2', {}, 'Since the server started'), h('dl', { class: 'totals' }, this.#totals.map(({ title, value }) => h('div', {}, h('dt', {}, title), value))));
  }

  /** Read on, or stop reading. */
  set isShown(isShown) {
    this.hidden = !isShown;
    clearTimeout(this.#timer);
    if (isShown) this.#read();
  }

  async #read() {
    const begun = performance.now();
    try {
      const now = parseMetrics(await text('metrics'));
      this.#problem.textContent = '';
      this.#take(now, begun);
    } catch (error) {
      this.#problem.textContent = `The metrics cannot be read: ${error.message}.`;
      this.#before = null;
    }
    if (!this.hidden) this.#timer = setTimeout(() => this.#read(), Math.max(PERIOD_MS - (performance.now() - begun), 100));
  }

  #take(now, at) {
    const before = this.#before;
    this.#before = { now, at };
    TOTALS.forEach(([, name], index) => { this.#totals[index].value.textContent = number(now.get(name) ?? 0); });
    if (before && at - before.at < 10 * PERIOD_MS) for (const plot of this.#plots) plot.add(plot.curve.value(now, before.now, (at - before.at) / 1000));
  }
}

/** A curve with its newest value. A value that is null leaves a gap. */
class Plot {
  #values = [];
  #line = svg('path', { class: 'curve' });
  #area = svg('path', { class: 'area' });
  #now = h('strong', {}, '–');
  #most = h('span', { class: 'most' });

  constructor(curve) {
    this.curve = curve;
    this.picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': curve.title }, this.#area, this.#line);
    this.node = h('figure', { class: 'plot' }, h('figcaption', {}, h('span', {}, curve.title), this.#now), this.picture, this.#most);
  }

  add(value) {
    this.#values.push(Number.isFinite(value) ? value : null);
    if (this.#values.length > KEPT) this.#values.shift();
    const known = this.#values.filter((each) => each !== null);
    const most = this.curve.most ?? Math.max(...known, 1);
    const x = (index) => WIDTH - ((this.#values.length - 1 - index) * WIDTH) / (KEPT - 1);
    const y = (each) => HEIGHT - 2 - ((HEIGHT - 6) * each) / most;
    let line = '';
    let area = '';
    let start = null;
    this.#values.forEach((each, index) => {
      if (each === null) { start = null; return; }
      const point = `${x(index).toFixed(1)} ${y(each).toFixed(1)}`;
      line += start === null ? `M${point}h0.1` : `L${point}`;
      start ??= index;
      if (index === this.#values.length - 1 || this.#values[index + 1] === null) {
        const points = this.#values.slice(start, index + 1).map((one, step) => `L${x(start + step).toFixed(1)} ${y(one).toFixed(1)}`).join('');
        area += `M${x(start).toFixed(1)} ${HEIGHT}${points}L${x(index).toFixed(1)} ${HEIGHT}Z`;
      }
    });
    this.#line.setAttribute('d', line);
    this.#area.setAttribute('d', area);
    const last = this.#values.at(-1);
    const said = last === null ? '–' : `${number(last, last < 10 ? 1 : 0)}${this.curve.unit && ` ${this.curve.unit}`}`;
    this.#now.textContent = said;
    this.#most.textContent = this.curve.most ? '' : `up to ${number(most, 1)}${this.curve.unit && ` ${this.curve.unit}`}`;
    this.picture.setAttribute('aria-label', `${this.curve.title}: ${said}`);
  }
}

customElements.define('pg-server', ServerView);
