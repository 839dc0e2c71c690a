import './chat.js';
import './server.js';
import './settings.js';
import { apiKey, json, setApiKey } from './api.js';
import { announce } from './element.js';
import { Session } from './session.js';
import { sharedRequest } from './share.js';

const RETRY_MS = 2000;
const LOOK_MS = 10_000;

const session = new Session();
const [settings, chat, server] = ['pg-settings', 'pg-chat', 'pg-server'].map((name) => document.querySelector(name));
const health = document.querySelector('.health');
const keyField = document.getElementById('key');
const keyBox = document.getElementById('key-box');
let isKnown = false;

settings.bind(session);
chat.bind(session);

/** Look whether the server answers, and learn its model and policies when it does so first, or again. */
async function look() {
  let next = LOOK_MS;
  try {
    await json('ready');
    if (!isKnown) {
      const model = await settings.refresh();
      health.dataset.state = 'ready';
      health.querySelector('.health-text').textContent = model.id;
      isKnown = true;
    }
  } catch (error) {
    isKnown = false;
    next = RETRY_MS;
    health.dataset.state = 'away';
    health.querySelector('.health-text').textContent = error.status === 401 ? 'needs an API key' : error.code === 'unreachable' ? 'not reachable' : 'not ready';
  }
  clearTimeout(look.timer);
  look.timer = setTimeout(look, next);
}

function show(view) {
  for (const button of document.querySelectorAll('button.view')) {
    if (button.dataset.view === view) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
  }
  document.querySelector('.chat').hidden = view !== 'chat';
  server.isShown = view === 'server';
}

async function takeLink() {
  try {
    const saved = await sharedRequest(location.hash);
    if (saved) session.load(saved);
  } catch (error) {
    announce(`The link cannot be read: ${error.message}`);
  }
}

for (const button of document.querySelectorAll('button.view')) button.addEventListener('click', () => show(button.dataset.view));
keyField.value = apiKey();
keyField.addEventListener('change', () => { setApiKey(keyField.value.trim()); isKnown = false; look(); });
keyBox.addEventListener('submit', (event) => { event.preventDefault(); keyBox.hidePopover(); });
keyBox.addEventListener('toggle', (event) => { if (event.newState === 'open') keyField.focus(); });
document.addEventListener('key-needed', () => { if (!apiKey() && !keyBox.matches(':popover-open')) keyBox.showPopover(); });
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && chat.isAnswering && !document.querySelector(':popover-open, dialog[open]')) chat.stop();
});
window.addEventListener('hashchange', takeLink);
await takeLink();
await look();
